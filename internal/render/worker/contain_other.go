//go:build !linux

package worker

import "fmt"

// containSystem knows no hard limits here: what remains is the watch over the memory, and the parent's time limit.
func containSystem(l Limits) []Layer {
	memory := Layer{Name: MemoryLayer, Detail: "none asked for"}
	if l.Memory > 0 {
		go watchMemory(l)
		memory.Active, memory.Detail = true, fmt.Sprintf("%d MiB, watched from inside", l.Memory>>20)
	}
	return []Layer{
		memory,
		{Name: FilesLayer, Detail: "Linux only"},
		{Name: TCPLayer, Detail: "Linux only"},
		{Name: SyscallLayer, Detail: "Linux only"},
	}
}
