//! Which system calls change the disk, and the seccomp filter that stops a program at them alone.

use nix::libc;
use nix::libc::{c_long, sock_filter};

enum Counted {
    Always,
    /// Only when the flags, in this argument, ask to write or to create.
    ToWrite {
        flags: u32,
    },
}

use Counted::{Always, ToWrite};

struct Call {
    name: &'static str,
    number: c_long,
    counted: Counted,
}

/// What `libc` names for every machine. `openat2` keeps its flags in memory, out of reach of a filter, so it is
/// always counted; a call too many is only a point too many.
const CALLS: &[Call] = &[
    call("openat", libc::SYS_openat, ToWrite { flags: 2 }),
    call("openat2", libc::SYS_openat2, Always),
    call("write", libc::SYS_write, Always),
    call("writev", libc::SYS_writev, Always),
    call("pwrite64", libc::SYS_pwrite64, Always),
    call("pwritev", libc::SYS_pwritev, Always),
    call("pwritev2", libc::SYS_pwritev2, Always),
    call("sendfile", libc::SYS_sendfile, Always),
    call("splice", libc::SYS_splice, Always),
    call("copy_file_range", libc::SYS_copy_file_range, Always),
    call("fsync", libc::SYS_fsync, Always),
    call("fdatasync", libc::SYS_fdatasync, Always),
    call("sync", libc::SYS_sync, Always),
    call("syncfs", libc::SYS_syncfs, Always),
    call("renameat2", libc::SYS_renameat2, Always),
    call("linkat", libc::SYS_linkat, Always),
    call("symlinkat", libc::SYS_symlinkat, Always),
    call("unlinkat", libc::SYS_unlinkat, Always),
    call("mkdirat", libc::SYS_mkdirat, Always),
    call("mknodat", libc::SYS_mknodat, Always),
    call("truncate", libc::SYS_truncate, Always),
    call("ftruncate", libc::SYS_ftruncate, Always),
    call("fallocate", libc::SYS_fallocate, Always),
    call("flock", libc::SYS_flock, Always),
    call("fchmod", libc::SYS_fchmod, Always),
    call("fchmodat", libc::SYS_fchmodat, Always),
    call("fchown", libc::SYS_fchown, Always),
    call("fchownat", libc::SYS_fchownat, Always),
    call("utimensat", libc::SYS_utimensat, Always),
    call("setxattr", libc::SYS_setxattr, Always),
    call("fsetxattr", libc::SYS_fsetxattr, Always),
];

/// With the older spellings, which newer machines were born without.
#[cfg(target_arch = "x86_64")]
const MACHINE_CALLS: &[Call] = &[
    call("sync_file_range", libc::SYS_sync_file_range, Always),
    call("renameat", libc::SYS_renameat, Always),
    call("open", libc::SYS_open, ToWrite { flags: 1 }),
    call("creat", libc::SYS_creat, Always),
    call("rename", libc::SYS_rename, Always),
    call("link", libc::SYS_link, Always),
    call("symlink", libc::SYS_symlink, Always),
    call("unlink", libc::SYS_unlink, Always),
    call("mkdir", libc::SYS_mkdir, Always),
    call("rmdir", libc::SYS_rmdir, Always),
    call("mknod", libc::SYS_mknod, Always),
    call("chmod", libc::SYS_chmod, Always),
    call("chown", libc::SYS_chown, Always),
    call("lchown", libc::SYS_lchown, Always),
];
/// Two that `libc` does not name for this machine; numbers from `asm-generic/unistd.h`.
#[cfg(target_arch = "aarch64")]
const MACHINE_CALLS: &[Call] = &[call("sync_file_range", 84, Always), call("renameat", 38, Always)];

/// From `linux/audit.h`: the machine, 64 bits, little endian.
#[cfg(target_arch = "x86_64")]
const MACHINE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const MACHINE: u32 = 0xC000_00B7;

/// `O_TMPFILE` is left out: it needs `O_WRONLY` or `O_RDWR` beside it.
const WRITING: i32 = libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC;

/// Where `struct seccomp_data` keeps the number of the call, the machine and the arguments.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;

const fn call(name: &'static str, number: c_long, counted: Counted) -> Call {
    Call { name, number, counted }
}

fn all() -> impl Iterator<Item = &'static Call> {
    CALLS.iter().chain(MACHINE_CALLS)
}

/// The call behind the value that the filter reports.
pub(super) fn name(reported: i64) -> &'static str {
    let place = usize::try_from(reported).ok();
    place.and_then(|place| all().nth(place)).map_or("unknown", |call| call.name)
}

/// Stops at the counted calls, reporting the call's place in the table, and allows the rest.
pub(super) fn filter() -> Vec<sock_filter> {
    // A program of another machine type has other numbers for its calls: it runs uncounted.
    let mut steps =
        vec![load(ARCHITECTURE), jump(libc::BPF_JEQ, MACHINE, 1, 0), allow(), load(NUMBER)];
    for (place, call) in (0..).zip(all()) {
        let number = u32::try_from(call.number).expect("numbers of calls are small");
        match call.counted {
            Always => steps.extend([jump(libc::BPF_JEQ, number, 0, 1), stop(place)]),
            ToWrite { flags } => steps.extend([
                jump(libc::BPF_JEQ, number, 0, 4),
                load(ARGUMENTS + 8 * flags),
                jump(libc::BPF_JSET, WRITING.cast_unsigned(), 0, 1),
                stop(place),
                allow(),
            ]),
        }
    }
    steps.push(allow());
    steps
}

fn load(offset: u32) -> sock_filter {
    step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset)
}

fn allow() -> sock_filter {
    step(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW)
}

fn stop(place: u32) -> sock_filter {
    step(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_TRACE | place)
}

fn step(code: u32, k: u32) -> sock_filter {
    sock_filter { code: short(code), jt: 0, jf: 0, k }
}

/// Skips that many steps, when the test holds and when it does not.
fn jump(test: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code: short(libc::BPF_JMP | test | libc::BPF_K), jt, jf, k }
}

fn short(code: u32) -> u16 {
    u16::try_from(code).expect("filter codes are 16 bits wide")
}
