/*
 * Keeps, beside a server's data, what of it a power cut would leave: at each fsync the file as long as it was when that
 * began. Loaded before the system's library (LD_PRELOAD); see power-cut.ts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void keep(int fd, const char *path, off_t size) {
  char kept[PATH_MAX], part[PATH_MAX + 32], block[65536];
  snprintf(kept, sizeof kept, "%s/%s", getenv("POWER_CUT_KEEPS"), strrchr(path, '/') + 1);
  /* Two threads, or two processes, may sync one file at the same time. */
  snprintf(part, sizeof part, "%s.%d.%d", kept, (int)getpid(), fd);
  int to = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (to < 0) return;
  for (off_t at = 0; at < size;) {
    size_t wanted = size - at < (off_t)sizeof block ? (size_t)(size - at) : sizeof block;
    ssize_t got = pread(fd, block, wanted, at);
    if (got <= 0 || write(to, block, got) != got) break;
    at += got;
  }
  close(to);
  rename(part, kept);
}

static int synced(const char *name, int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  char link[64], path[PATH_MAX];
  struct stat before;
  const char *of = getenv("POWER_CUT_OF");
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  int wanted = of && length > 0 && fstat(fd, &before) == 0 && S_ISREG(before.st_mode);
  if (wanted) {
    path[length] = 0;
    wanted = strncmp(path, of, strlen(of)) == 0;
  }
  /* A disk that says "done" and does nothing: what a server would be that waits for no fsync. */
  if (wanted && getenv("POWER_CUT_LIES") && strstr(path, "-wal")) return 0;
  int outcome = real(fd);
  if (wanted && outcome == 0) keep(fd, path, before.st_size);
  return outcome;
}

int fsync(int fd) { return synced("fsync", fd); }
int fdatasync(int fd) { return synced("fdatasync", fd); }
