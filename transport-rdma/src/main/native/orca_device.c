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

/* Devices, ports and addresses, and waiting: what org.orcagrid.transport.rdma.Verbs declares. */
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "errors.h"
#include "handles.h"

#define ORCA(type, name) JNIEXPORT type JNICALL Java_org_orcagrid_transport_rdma_Verbs_##name

/* Changes with every change of what is declared there, or of a layout. */
#define ORCA_ABI 3

#define GID_BYTES 16
#define DEVICE_FIELDS 13
#define NANOS_IN_SECOND 1000000000LL
#define WOKEN_BY_COMPLETION 1
#define WOKEN_BY_CALL 2

/*
 * Makes this library's symbols global, and says that it is there under the name of DiSNI's. DiSNI asks
 * the JVM for a library "disni", and the JVM looks for one that is part of the process first (JEP 178),
 * which is what a library with global symbols is. So no java.library.path is needed.
 */
JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
  (void)vm;
  (void)reserved;
  Dl_info self;
  if (dladdr((void *)(uintptr_t)&JNI_OnLoad, &self) == 0 ||
      dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL) == NULL) {
    return JNI_ERR;
  }
  return JNI_VERSION_1_8;
}

JNIEXPORT jint JNICALL JNI_OnLoad_disni(JavaVM *vm, void *reserved) {
  (void)vm;
  (void)reserved;
  return JNI_VERSION_1_8;
}

ORCA(jint, abi)(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  return ORCA_ABI;
}

ORCA(jint, openHandles)(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  return handle_count();
}

/* Bytes that this process may keep in memory; -1 without a limit. */
ORCA(jlong, memoryLockLimit)(JNIEnv *env, jclass type) {
  (void)type;
  struct rlimit limit;
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) {
    throw_errno(env, "getrlimit", errno);
    return 0;
  }
  return limit.rlim_cur == RLIM_INFINITY ? -1 : (jlong)limit.rlim_cur;
}

/* The names of all devices. */
ORCA(jobjectArray, devices)(JNIEnv *env, jclass type) {
  (void)type;
  int count = 0;
  struct ibv_device **list = ibv_get_device_list(&count);
  int error = errno;
  /* No kernel module: no device, which is no error. */
  if (list == NULL && error != ENOSYS && error != ENOENT) {
    throw_errno(env, "ibv_get_device_list", error);
    return NULL;
  }
  jclass string = (*env)->FindClass(env, "java/lang/String");
  jobjectArray names =
      string == NULL ? NULL : (*env)->NewObjectArray(env, list == NULL ? 0 : count, string, NULL);
  for (int i = 0; names != NULL && list != NULL && i < count; i++) {
    jstring name = (*env)->NewStringUTF(env, ibv_get_device_name(list[i]));
    if (name == NULL) {
      break;
    }
    (*env)->SetObjectArrayElement(env, names, i, name);
    (*env)->DeleteLocalRef(env, name);
  }
  if (list != NULL) {
    ibv_free_device_list(list);
  }
  return names;
}

ORCA(jlong, openDevice)(JNIEnv *env, jclass type, jstring name) {
  (void)type;
  static const char *verb = "ibv_open_device";
  const char *wanted = name == NULL ? NULL : (*env)->GetStringUTFChars(env, name, NULL);
  if (wanted == NULL) {
    throw_errno(env, verb, EINVAL);
    return -1;
  }
  int count = 0;
  struct ibv_device **list = ibv_get_device_list(&count);
  struct ibv_context *context = NULL;
  int error = list == NULL ? errno : ENODEV;
  for (int i = 0; i < count && list != NULL; i++) {
    if (strcmp(ibv_get_device_name(list[i]), wanted) == 0) {
      context = ibv_open_device(list[i]);
      error = errno;
      break;
    }
  }
  if (list != NULL) {
    ibv_free_device_list(list);
  }
  (*env)->ReleaseStringUTFChars(env, name, wanted);
  if (context == NULL) {
    throw_errno(env, verb, error == 0 ? ENODEV : error);
    return -1;
  }
  jlong number = add_or_throw(env, verb, HANDLE_CONTEXT, context, 0, NULL);
  if (number == 0) {
    ibv_close_device(context);
    return -1;
  }
  return number;
}

ORCA(void, closeDevice)(JNIEnv *env, jclass type, jlong device) {
  (void)type;
  struct handle *closing = close_or_throw(env, "ibv_close_device", device, HANDLE_CONTEXT);
  if (closing == NULL) {
    return;
  }
  if (!closing->owned) {
    handle_end_close(closing, 0);
    throw_reason(env, "ibv_close_device", "the context belongs to a connection id (errno 1)");
    return;
  }
  int failed = ibv_close_device(closing->object) != 0;
  int error = errno;
  handle_end_close(closing, !failed);
  if (failed) {
    throw_errno(env, "ibv_close_device", error);
  }
}

/* What a device and one of its ports can do, in the order of the fields of PortInfo. */
ORCA(void, queryPort)(JNIEnv *env, jclass type, jlong device, jint port, jobject into) {
  (void)type;
  int32_t *out = buffer_or_throw(env, "ibv_query_port", into, DEVICE_FIELDS * sizeof(int32_t));
  if (out == NULL) {
    return;
  }
  struct handle *held = acquire_or_throw(env, "ibv_query_port", device, HANDLE_CONTEXT);
  if (held == NULL) {
    return;
  }
  struct ibv_device_attr attr;
  struct ibv_port_attr of_port;
  memset(&of_port, 0, sizeof(of_port));
  int error = port < 1 || port > UINT8_MAX ? EINVAL : ibv_query_device(held->object, &attr);
  if (error == 0 && port > attr.phys_port_cnt) {
    error = EINVAL;
  }
  if (error == 0) {
    error = ibv_query_port(held->object, (uint8_t)port, &of_port);
  }
  enum ibv_transport_type transport =
      ((struct ibv_context *)held->object)->device->transport_type;
  handle_release(held);
  if (error != 0) {
    throw_errno(env, "ibv_query_port", error);
    return;
  }
  int32_t fields[DEVICE_FIELDS] = {(int32_t)of_port.state,
                                   (int32_t)128 << of_port.active_mtu,
                                   of_port.link_layer,
                                   of_port.lid,
                                   of_port.gid_tbl_len,
                                   attr.max_qp_wr,
                                   attr.max_cqe,
                                   attr.max_sge,
                                   attr.max_qp,
                                   (int32_t)attr.atomic_cap,
                                   attr.phys_port_cnt,
                                   attr.max_ah,
                                   (int32_t)transport};
  memcpy(out, fields, sizeof(fields));
}

/* Puts 16 bytes of address; returns 0 for InfiniBand, 1 for RoCE, 2 for RoCE v2, -1 if there is none. */
ORCA(jint, queryGid)(JNIEnv *env, jclass type, jlong device, jint port, jint index, jobject into) {
  (void)type;
  void *out = buffer_or_throw(env, "ibv_query_gid_ex", into, GID_BYTES);
  if (out == NULL) {
    return -1;
  }
  struct handle *held = acquire_or_throw(env, "ibv_query_gid_ex", device, HANDLE_CONTEXT);
  if (held == NULL) {
    return -1;
  }
  struct ibv_gid_entry entry;
  memset(&entry, 0, sizeof(entry));
  int error = port < 1 || index < 0
                  ? EINVAL
                  : ibv_query_gid_ex(held->object, (uint32_t)port, (uint32_t)index, &entry, 0);
  handle_release(held);
  /* Negative from the kernel's interface, positive from the older one. */
  if (error == ENODATA || error == -ENODATA) {
    return -1;
  }
  if (error != 0) {
    throw_errno(env, "ibv_query_gid_ex", error < 0 ? -error : error);
    return -1;
  }
  memcpy(out, entry.gid.raw, GID_BYTES);
  return (jint)entry.gid_type;
}

ORCA(jlong, createWake)(JNIEnv *env, jclass type) {
  (void)type;
  int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (fd < 0) {
    throw_errno(env, "eventfd", errno);
    return -1;
  }
  jlong number = add_or_throw(env, "eventfd", HANDLE_WAKE, (void *)(intptr_t)fd, 0, NULL);
  if (number == 0) {
    close(fd);
    return -1;
  }
  return number;
}

/* Does nothing if there is no such thing any more: whoever wakes does not know when it goes. */
ORCA(void, wake)(JNIEnv *env, jclass type, jlong wake) {
  (void)type;
  struct handle *held = handle_acquire(wake, HANDLE_WAKE);
  if (held == NULL) {
    return;
  }
  uint64_t one = 1;
  /* Full is woken as well. */
  if (write((int)(intptr_t)held->object, &one, sizeof(one)) < 0 && errno != EAGAIN) {
    throw_errno(env, "write", errno);
  }
  handle_release(held);
}

ORCA(void, destroyWake)(JNIEnv *env, jclass type, jlong wake) {
  (void)type;
  /* Whoever wakes holds it for an instant only. */
  struct handle *closing = NULL;
  int error;
  while ((error = handle_begin_close(wake, HANDLE_WAKE, &closing)) == EBUSY) {
    (void)poll(NULL, 0, 1);
  }
  if (error != 0) {
    throw_reason(env, "eventfd", "it is closed already (errno 9)");
    return;
  }
  close((int)(intptr_t)closing->object);
  handle_end_close(closing, 1);
}

/* Waits for a completion event or a wake-up, and takes it. Returns what there was. */
ORCA(jint, await)(JNIEnv *env, jclass type, jlong channel, jlong wake, jlong nanos) {
  (void)type;
  static const char *verb = "ibv_get_cq_event";
  struct handle *events = acquire_or_throw(env, verb, channel, HANDLE_COMP_CHANNEL);
  if (events == NULL) {
    return 0;
  }
  struct handle *woken = acquire_or_throw(env, verb, wake, HANDLE_WAKE);
  if (woken == NULL) {
    handle_release(events);
    return 0;
  }
  struct ibv_comp_channel *completions = events->object;
  int wake_fd = (int)(intptr_t)woken->object;
  struct pollfd readable[2] = {{.fd = completions->fd, .events = POLLIN, .revents = 0},
                               {.fd = wake_fd, .events = POLLIN, .revents = 0}};
  jint result = 0;
  long long most = nanos < 0 ? 0 : nanos;
  struct timespec timeout = {.tv_sec = most / NANOS_IN_SECOND, .tv_nsec = most % NANOS_IN_SECOND};
  int count = ppoll(readable, 2, &timeout, NULL);
  if (count < 0 && errno != EINTR) {
    throw_errno(env, "ppoll", errno);
  }
  if (count > 0 && readable[0].revents != 0) {
    struct ibv_cq *cq;
    void *number;
    if (ibv_get_cq_event(completions, &cq, &number) != 0) {
      throw_errno(env, verb, errno);
    } else {
      ibv_ack_cq_events(cq, 1);
      result |= WOKEN_BY_COMPLETION;
    }
  }
  if (count > 0 && readable[1].revents != 0) {
    uint64_t times;
    if (read(wake_fd, &times, sizeof(times)) < 0 && errno != EAGAIN) {
      throw_errno(env, "read", errno);
    }
    result |= WOKEN_BY_CALL;
  }
  handle_release(woken);
  handle_release(events);
  return result;
}
