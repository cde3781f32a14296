/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the engine and the keeper say to each other: the launch block, the control messages, the
 * counters page, the index records and the outcome. Plain old data, the same on both sides, which
 * always come from the same build. libc only.
 *
 * All times are microseconds. "Monotonic" is CLOCK_MONOTONIC, which stands still while the machine
 * is suspended. 0 means "none" for a duration, KEEPER_NEVER for a point in time.
 */
#pragma once

#include "job-limits.h"

#include <stdatomic.h>
#include <stdint.h>

#define KEEPER_LAUNCH_MAGIC 0x4c4b5453u  /* "STKL" */
#define KEEPER_OUTCOME_MAGIC 0x4f4b5453u /* "STKO" */
#define KEEPER_ADOPTION_MAGIC 0x414b5453u /* "STKA" */
#define KEEPER_VERSION 1u

/* The descriptor on which the keeper finds its launch block; the block names all the others. */
#define KEEPER_LAUNCH_FD 3

#define KEEPER_NEVER INT64_MAX

/* Names in a job directory. */
#define KEEPER_FILE_OUTPUT "output"
#define KEEPER_FILE_INDEX "index"
#define KEEPER_FILE_OUTCOME "outcome"
#define KEEPER_FILE_OUTCOME_NEW "outcome.new" /* while it is being written */
#define KEEPER_FILE_LOCK "lock"
#define KEEPER_FILE_CONTROL "control" /* a socket, while the job is let go */
#define KEEPER_FILE_PROTOCOL "protocol.jsonl" /* an agent session's; the engine's own affair */

/* Why a job finished: the first cause wins. The engine's StintReason has the same values. */
enum keeper_reason
{
  KEEPER_REASON_NONE,
  KEEPER_REASON_EXITED,
  KEEPER_REASON_SIGNALED,
  KEEPER_REASON_TIMEOUT,
  KEEPER_REASON_IDLE_TIMEOUT,
  KEEPER_REASON_TERMINATED,
  KEEPER_REASON_KILLED,
  KEEPER_REASON_CANCELLED,
  KEEPER_REASON_FAILED,
  KEEPER_REASON_INTERRUPTED,
};

/* The step of the start that failed, for keeper_outcome.step. */
enum keeper_step
{
  KEEPER_STEP_NONE,
  KEEPER_STEP_KEEPER,    /* the keeper's own preparations */
  KEEPER_STEP_FORK,
  KEEPER_STEP_SESSION,   /* setsid, controlling terminal */
  KEEPER_STEP_STDIO,
  KEEPER_STEP_DIRECTORY, /* chdir */
  KEEPER_STEP_EXEC,
};

/* What each of the command's descriptors 0 to 2 is. */
enum keeper_stdio_kind
{
  KEEPER_STDIO_NULL,
  KEEPER_STDIO_PTY,
  KEEPER_STDIO_CAPTURE, /* a pipe that the keeper makes and records */
  KEEPER_STDIO_TEE,     /* the same, and each chunk goes on to a pipe, `fd` */
  KEEPER_STDIO_PASS,    /* `fd` itself: inherited, or a protocol's pipe */
};

struct keeper_stdio
{
  uint32_t kind;
  int32_t fd;
};

enum keeper_idle_action
{
  KEEPER_IDLE_TERMINATE,
  KEEPER_IDLE_NOTIFY, /* tell the engine, once for each silence */
};

enum keeper_idle_by
{
  KEEPER_IDLE_BY_OUTPUT,
  KEEPER_IDLE_BY_ACTIVITY, /* CPU time of the tree is a sign of life too */
};

enum keeper_flags
{
  KEEPER_LEFTOVERS_WAIT = 1 << 0, /* the job goes on until its last descendant has ended */
  KEEPER_SCRATCH = 1 << 1,        /* leave no trace: without an engine, remove the directory */
};

/* The launch block, at the start of a sealed memfd. Behind it lie `strings_size` bytes of strings,
 * each ended by a NUL: the directory, then `argc` arguments, then `envc` NAME=VALUE. */
struct keeper_launch
{
  uint32_t magic;
  uint32_t version;
  int32_t control_fd;   /* SOCK_SEQPACKET */
  int32_t counters_fd;  /* memfd of one struct keeper_counters */
  int32_t wakeup_fd;    /* eventfd */
  int32_t directory_fd; /* the job directory */
  int32_t lock_fd;      /* flock'd by the engine */
  int32_t pty_fd;       /* the master, or -1 */
  int32_t narration_fd; /* a pipe's read end, recorded as stdout when that is passed; 0 or -1: none */
  struct keeper_stdio stdio[3];
  uint32_t flags;
  uint32_t idle_action;
  uint32_t idle_by;
  int64_t timeout;
  int64_t idle;
  int64_t grace;
  uint64_t output_limit; /* bytes of `output` and `index` together, 0: unlimited */
  uint64_t nofile_soft;  /* RLIMIT_NOFILE for the command, 0: as it is */
  uint16_t rows;
  uint16_t columns;
  int32_t oom_score_adj;
  int32_t niceness; /* added to what the keeper inherits, 0 or more */
  uint32_t argc;
  uint32_t envc;
  uint64_t strings_size;
};

/* To the keeper. */
enum keeper_request_type
{
  KEEPER_REQUEST_LIMITS, /* wall_at, idle, idle_action */
  KEEPER_REQUEST_STOP,   /* reason, grace (negative: the launch block's) */
  KEEPER_REQUEST_KILL,   /* reason */
  KEEPER_REQUEST_PAUSE,
  KEEPER_REQUEST_RESUME,
  KEEPER_REQUEST_RESIZED,  /* rows, columns; the engine has set the pty's size */
  KEEPER_REQUEST_ACTIVITY, /* something moved on a passed stream */
  KEEPER_REQUEST_DETACH,   /* the end of the control socket no longer stops the job */
  KEEPER_REQUEST_ATTACH,   /* it does again */
};

struct keeper_request
{
  uint32_t type;
  uint32_t reason;
  uint32_t idle_action;
  uint16_t rows;
  uint16_t columns;
  int64_t wall_at;
  int64_t idle;
  int64_t grace;
};

#define KEEPER_MAX_SURVIVORS 16

/* A process that could not be ended. */
struct keeper_survivor
{
  int32_t pid;
  char name[20]; /* comm, NUL-terminated, any bytes */
};

/* How a job ended: the `done` message and the file `outcome`. */
struct keeper_outcome
{
  uint32_t magic;
  uint32_t version;
  uint32_t reason;
  uint32_t step;       /* of a failed start */
  int32_t error;       /* errno of a failed start */
  int32_t has_status;  /* the leader was reaped and wait_status holds */
  int32_t wait_status; /* as waitpid gives it */
  int32_t pid;
  uint32_t escalated; /* SIGKILL was needed */
  uint32_t leftovers; /* descendants that had to be ended after the leader */
  uint32_t n_survivors;
  uint32_t store_error; /* errno of the first failed write to the transcript, or 0 */
  struct keeper_survivor survivors[KEEPER_MAX_SURVIVORS];
  int64_t started_at;    /* monotonic */
  int64_t leader_end_at; /* monotonic, 0: never reaped */
  int64_t ended_at;      /* monotonic */
  int64_t ended_real;    /* microseconds since 1970, by the wall clock as it stood at the start */
  int64_t cpu;           /* user and system time of all that was reaped */
  int64_t max_rss;       /* bytes, of the largest process */
  uint64_t stdout_bytes; /* what the command wrote, stored or not; a pty's output is here */
  uint64_t stderr_bytes;
  uint64_t size; /* length of `output` */
  uint64_t hole_start;
  uint64_t hole_end;
  uint64_t lost; /* bytes that could not be stored */
};

/* From the keeper. */
enum keeper_event_type
{
  KEEPER_EVENT_STARTED,       /* pid, at */
  KEEPER_EVENT_IDLE_EXPIRED,  /* at; the idle action is notify */
  KEEPER_EVENT_LEADER_EXITED, /* wait_status, at */
  KEEPER_EVENT_STOPPING,      /* reason, at; kill_at is when SIGKILL comes */
  KEEPER_EVENT_ESCALATED,     /* at */
  KEEPER_EVENT_HANG_UP,       /* close your pty master: the terminal must end */
  KEEPER_EVENT_DETACHED,      /* detached, and error if it was to be and cannot be */
  KEEPER_EVENT_DONE,          /* outcome */
};

struct keeper_event
{
  uint32_t type;
  uint32_t reason;
  int32_t pid;
  int32_t wait_status;
  int64_t at;
  int64_t kill_at;
  int32_t detached;
  int32_t error;
  struct keeper_outcome outcome; /* DONE only */
};

/* What an engine that connects to `control` is told first. With it come the descriptors of the
 * counters page, of the eventfd, and of the pty's master if there is one; as events follow what it
 * would have been told before: started, and stopping if it is. This and the first four members are
 * for ever as they are: it may be an engine of another build, which goes away then. */
struct keeper_adoption
{
  uint32_t magic;
  uint32_t version;
  uint32_t layout; /* KEEPER_LAYOUT of the keeper */
  int32_t error;   /* EBUSY: another engine has the job. Nothing else comes then. */
  struct limits limits;
  uint32_t idle_action;
  uint32_t unused; /* no byte that is sent is one that nobody has written */
};

enum keeper_stream
{
  KEEPER_STREAM_STDOUT, /* and a pty's output */
  KEEPER_STREAM_STDERR,
  KEEPER_N_STREAMS,
};

/* What a command says of its progress, with the numbers of the control sequence that says it. */
enum keeper_progress
{
  KEEPER_PROGRESS_NONE,
  KEEPER_PROGRESS_NORMAL,
  KEEPER_PROGRESS_ERROR,
  KEEPER_PROGRESS_UNKNOWN, /* it is under way, and cannot say how far */
  KEEPER_PROGRESS_PAUSED,
  KEEPER_N_PROGRESS,
};

#define KEEPER_PROGRESS(state, percent) ((uint32_t) (state) << 8 | (uint32_t) (percent))
#define KEEPER_PROGRESS_STATE(packed) ((packed) >> 8)
#define KEEPER_PROGRESS_PERCENT(packed) ((packed) &0xff)

/* The shared page. The keeper writes, and the engine reads without asking; all accesses are
 * sequentially consistent, because the reader's "arm, then look again" against the writer's
 * "publish, then look at armed" loses wake-ups with anything less. */
struct keeper_counters
{
  _Atomic uint32_t armed;    /* set by the reader before it sleeps on the eventfd */
  _Atomic uint32_t finished; /* the outcome has been written and sent */
  _Atomic uint64_t bytes[KEEPER_N_STREAMS]; /* received, stored or not */
  _Atomic int64_t last_output[KEEPER_N_STREAMS]; /* monotonic, 0: none yet */
  _Atomic int64_t last_activity; /* monotonic: other signs of life, told or seen; 0: none yet */
  _Atomic uint64_t size; /* length of `output`; what lies below it can be read */
  _Atomic uint64_t index_size;
  _Atomic uint64_t hole_start; /* what lies in the hole is gone or about to be */
  _Atomic uint64_t hole_end;
  _Atomic uint64_t index_hole_start;
  _Atomic uint64_t index_hole_end;
  _Atomic uint64_t lost;
  _Atomic uint64_t lost_told; /* of that, what records of the index say */
  _Atomic uint64_t lost_at;   /* the place of the rest, if there is any */
  _Atomic uint32_t store_error;
  _Atomic int32_t leader; /* pid, for the warden */
  _Atomic int64_t started_at;
  _Atomic int64_t started_real; /* microseconds since 1970 */
  _Atomic int32_t has_status;
  _Atomic int32_t wait_status;
  _Atomic uint32_t progress; /* KEEPER_PROGRESS(), 0: none was told */
};

enum keeper_index_kind
{
  KEEPER_INDEX_OUTPUT, /* the bytes from `offset` came from stream `value` */
  KEEPER_INDEX_RESIZE, /* `value`: columns << 16 | rows */
  KEEPER_INDEX_LOST,   /* `value`: how many bytes are missing at `offset` (saturated) */
};

/* One record of `index`: sorted by offset. */
struct keeper_index_record
{
  uint64_t offset;
  int64_t time; /* microseconds since the start of the command */
  uint32_t kind;
  uint32_t value;
};

/* Differs if any of what is shared over time does. */
#define KEEPER_LAYOUT                                                                              \
  ((uint32_t) (sizeof (struct keeper_counters) << 20 | sizeof (struct keeper_event) << 8 |         \
               (sizeof (struct keeper_request) + sizeof (struct limits))))
