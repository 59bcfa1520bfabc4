/*
 * Copyright 2026 The Orca Grid authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.orcagrid.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.WebDriverWait;
import org.orcagrid.needs.Needs;

/** A headless Chromium; who opens it {@link Needs} {@link Chromium}. */
final class Browser implements AutoCloseable {
  private static final Path PICTURES = Path.of("target", "pictures");

  /** From one look at a page to the next; the pages of examples change every 150 ms. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Opens a page. */
  static Browser open(String address, Path profile) {
    ChromeOptions options = new ChromeOptions();
    options.setBinary(Chromium.PROGRAM.toFile());
    options.addArguments(
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1200,900",
        "--user-data-dir=" + profile.toAbsolutePath());
    ChromeDriverService service =
        new ChromeDriverService.Builder().usingDriverExecutable(Chromium.DRIVER.toFile()).build();
    Browser browser = new Browser(new ChromeDriver(service, options));
    browser.driver.get(address);
    return browser;
  }

  /** Waits until the text of an element satisfies {@code wanted}, and returns it. */
  String await(String css, Duration limit, Predicate<String> wanted) {
    return new WebDriverWait(driver, limit, LOOK)
        .withMessage(() -> css + " is " + textsOf(css) + " in: " + driver.getPageSource())
        .ignoring(StaleElementReferenceException.class)
        .until(
            any ->
                driver.findElements(By.cssSelector(css)).stream()
                    .map(WebElement::getText)
                    .filter(wanted)
                    .findFirst()
                    .orElse(null));
  }

  /** Returns the text of every such element. */
  List<String> textsOf(String css) {
    return driver.findElements(By.cssSelector(css)).stream().map(WebElement::getText).toList();
  }

  void click(String css) {
    driver.findElement(By.cssSelector(css)).click();
  }

  void type(String css, String text) {
    driver.findElement(By.cssSelector(css)).sendKeys(text);
  }

  String title() {
    return driver.getTitle();
  }

  /** Keeps a picture of the page for people, below target/pictures. */
  void picture(String name) throws IOException {
    Files.createDirectories(PICTURES);
    Files.write(PICTURES.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
  }

  /** Everything that the page has loaded came from its own server. */
  void assertNothingCameFromElsewhere(String address) {
    Object others =
        driver.executeScript(
            "return performance.getEntriesByType('resource').map(e => e.name)"
                + ".filter(name => !name.startsWith(arguments[0]) && !name.startsWith('data:'));",
            address);
    assertEquals(List.of(), others);
  }

  @Override
  public void close() {
    driver.quit();
  }
}
