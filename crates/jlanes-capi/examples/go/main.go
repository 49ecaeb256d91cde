// Digests of many messages from Go, by cgo. The library's flags come from pkg-config:
//
//	go run .
package main

// #cgo pkg-config: jlanes
// #include <stdlib.h>
// #include <jlanes.h>
import "C"

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"
)

// Lanes hash many messages at once. Any number of goroutines may share them.
type Lanes struct {
	lanes *C.struct_jlanes_lanes
	size  int
}

// call runs a function of the library on one thread, which has the message of an error.
func call(f func() C.int) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if f() != C.JLANES_OK {
		return errors.New(C.GoString(C.jlanes_last_error()))
	}
	return nil
}

// NewLanes returns lanes of an algorithm, which have to be closed.
func NewLanes(algorithm string) (*Lanes, error) {
	name := C.CString(algorithm)
	defer C.free(unsafe.Pointer(name))
	var size C.size_t
	lanes := new(Lanes)
	err := call(func() C.int {
		if code := C.jlanes_output_size(name, &size); code != C.JLANES_OK {
			return code
		}
		return C.jlanes_lanes_new(name, nil, 0, &lanes.lanes)
	})
	lanes.size = int(size)
	return lanes, err
}

// Close frees the lanes.
func (lanes *Lanes) Close() {
	C.jlanes_lanes_free(lanes.lanes)
}

// Digests returns the digests of messages, one after the other.
func (lanes *Lanes) Digests(messages [][]byte) ([]byte, error) {
	if len(messages) == 0 {
		return nil, nil
	}
	// a list of addresses in Go's memory must not go to C, so the messages are copied
	copied := C.CBytes(bytes.Join(messages, nil))
	defer C.free(copied)
	addresses := make([]*C.uint8_t, len(messages))
	lens := make([]C.size_t, len(messages))
	at := copied
	for i, message := range messages {
		addresses[i] = (*C.uint8_t)(at)
		lens[i] = C.size_t(len(message))
		at = unsafe.Add(at, len(message))
	}
	out := make([]byte, len(messages)*lanes.size)
	err := call(func() C.int {
		return C.jlanes_digest_many(lanes.lanes, &addresses[0], &lens[0], C.size_t(len(messages)),
			(*C.uint8_t)(&out[0]), C.size_t(len(out)))
	})
	return out, err
}

func run() error {
	lanes, err := NewLanes("sha256")
	if err != nil {
		return err
	}
	defer lanes.Close()
	digests, err := lanes.Digests([][]byte{[]byte("abc"), nil, []byte("another message")})
	if err != nil {
		return err
	}
	first := hex.EncodeToString(digests[:32])
	fmt.Println(first)
	if first != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" { // FIPS 180-4
		return errors.New("that is not the digest of abc")
	}
	if _, err = NewLanes("sha257"); err == nil {
		return errors.New("there is no such algorithm")
	}
	fmt.Println(err)
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
