package worker

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// forbidden are the system calls that a renderer has no use for and that would lead out of its process: programs, sockets
// of any kind, other processes, other namespaces, and the ways around such a list.
func forbidden() []uint32 {
	return []uint32{
		unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_MEMFD_CREATE,
		unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_IO_URING_SETUP,
		unix.SYS_KILL, unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_PTRACE,
		unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
		unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_BPF, unix.SYS_USERFAULTFD, unix.SYS_PERF_EVENT_OPEN,
	}
}

// filterCalls makes the forbidden system calls fail with EPERM in all threads. It is the layer that also holds where
// Landlock is old and user namespaces are forbidden, as on many distributions and CI machines.
func filterCalls() Layer {
	layer := Layer{Name: SyscallLayer}
	arch, ok := auditArch()
	if !ok {
		layer.Detail = "no filter for " + runtime.GOARCH
		return layer
	}
	program := callFilter(arch, forbidden())
	fprog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}

	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		layer.Detail = fmt.Sprintf("no_new_privs: %v", err)
		return layer
	}
	// The filter and no_new_privs go to all threads of the process.
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&fprog)))
	runtime.KeepAlive(program)
	switch {
	case errno != 0:
		layer.Detail = fmt.Sprintf("seccomp: %v", errno)
	case thread != 0:
		layer.Detail = fmt.Sprintf("seccomp: thread %d cannot be restricted", thread)
	default:
		layer.Active, layer.Detail = true, "seccomp"
	}
	return layer
}

// auditArch is the kernel's name of the architecture, which a filter must check: numbers of system calls differ.
func auditArch() (uint32, bool) {
	switch runtime.GOARCH {
	case "amd64":
		return unix.AUDIT_ARCH_X86_64, true
	case "arm64":
		return unix.AUDIT_ARCH_AARCH64, true
	}
	return 0, false
}

// callFilter is the filter as a classic BPF program over struct seccomp_data (linux/seccomp.h): the number of the call is
// at offset 0, the architecture at offset 4.
func callFilter(arch uint32, calls []uint32) []unix.SockFilter {
	const (
		load = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		jeq  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		jge  = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
		ret  = unix.BPF_RET | unix.BPF_K
		x32  = 0x40000000 // bit of the second set of numbers that amd64 has
	)
	program := []unix.SockFilter{
		{Code: load, K: 4},
		{Code: jeq, K: arch, Jt: 1},
		{Code: ret, K: unix.SECCOMP_RET_KILL_PROCESS},
		{Code: load, K: 0},
		{Code: jge, K: x32, Jt: uint8(len(calls) + 1)},
	}
	for i, call := range calls {
		program = append(program, unix.SockFilter{Code: jeq, K: call, Jt: uint8(len(calls) - i)})
	}
	return append(program,
		unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_ALLOW},
		unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)})
}
