import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Prints what an OCI runtime configuration says of its process: {@code Json.java CONFIG.JSON uid|args}. */
class Json {
  public static void main(String[] arguments) throws Exception {
    String config = Files.readString(Path.of(arguments[0]));
    String pattern = arguments[1].equals("uid") ? "\"uid\"\\s*:\\s*(\\d+)" : "\"args\"\\s*:\\s*\\[([^\\]]*)\\]";
    Matcher found = Pattern.compile(pattern).matcher(config);
    if (!found.find()) {
      throw new IllegalArgumentException("No " + arguments[1] + " in " + arguments[0]);
    }
    System.out.println(found.group(1).replaceAll("[\",\\s]+", " ").trim());
  }
}
