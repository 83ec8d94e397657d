// Command servers starts temporary servers on the loopback address, runs a command with their addresses in its
// environment, and ends the servers with the command:
//
//	go run ./test/servers go test ./...
//
// It sets TIDEWAITER_TEST_POSTGRES and TIDEWAITER_TEST_REDIS, and in TIDEWAITER_TEST_PROGRAM a folder in which the
// first test that needs the program builds it for all. The folder has another name after each change to the sources or
// the installed programs, and only then: go test repeats tests of the program for another name, and reuses their results
// for the same one. With -memory before the command, temporary files are kept in memory if the machine has enough: they
// survive a killed process, and no test waits for a disk.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/tidewaiter/tidewaiter/test/postgres"
	"github.com/tidewaiter/tidewaiter/test/redis"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "servers:", err)
		code = 1
	}
	os.Exit(code)
}

func run(command []string) (int, error) {
	in := ""
	if len(command) > 0 && command[0] == "-memory" {
		in, command = memory(), command[1:]
	}
	if len(command) == 0 {
		return 2, errors.New("usage: servers [-memory] COMMAND [ARGUMENT…]")
	}
	at, err := takePlace(os.TempDir(), cmp.Or(in, os.TempDir()), isUnused)
	if err != nil {
		return 1, err
	}
	defer at.leave()
	if in != "" {
		end, err := temporary(filepath.Join(in, fmt.Sprint("tidewaiter-temporary-", os.Getuid())))
		if err != nil {
			return 1, err
		}
		defer end()
	}
	settings := []string{"cluster_name=tidewaiter-test", "max_connections=1000", "fsync=off", "full_page_writes=off"}
	if in != "" {
		settings = append(settings, "autovacuum=off") // no database lives long enough
	}
	database, err := postgres.StartAt(at.folder, at.postgres, settings...)
	if err != nil {
		return 1, fmt.Errorf("postgresql: %w", err)
	}
	defer database.Stop()
	limits, err := redis.Start(at.redis)
	if err != nil {
		return 1, fmt.Errorf("redis: %w", err)
	}
	defer limits.Kill()

	tested, err := state(".")
	if err != nil {
		return 1, err
	}
	builds := filepath.Join(at.folder, "program-"+tested)
	if err := os.Mkdir(builds, 0o700); err != nil {
		return 1, err
	}

	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "TIDEWAITER_TEST_POSTGRES="+database.Address("postgres"), "TIDEWAITER_TEST_REDIS="+limits.Address(), "TIDEWAITER_TEST_PROGRAM="+builds)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if err := cmd.Start(); err != nil {
		return 1, err
	}
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s)
		}
	}()
	err = cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}

// roomy is the memory in bytes that must be free for the temporary files of tests.
const roomy = 6 << 30

// memory is a folder that the machine keeps in memory. It is empty if there is none with enough space, or none
// from which programs can run, as in most containers.
func memory() string {
	const shared, noexec = "/dev/shm", 8
	var fs syscall.Statfs_t
	if syscall.Statfs(shared, &fs) != nil || fs.Bavail*uint64(fs.Bsize) < roomy || fs.Flags&noexec != 0 {
		return ""
	}
	return shared
}

// temporary makes a folder the one for temporary files, for the servers of every account. Its name is always the same, since
// go test reuses the result of a package only while the variables that the tests read are the same. Runs at the same time
// share it; the last one removes it, or the first one after a run that was killed.
func temporary(folder string) (end func(), err error) {
	lock, err := os.OpenFile(folder+".lock", os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	removeUnused := func() {
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			_ = os.RemoveAll(folder)
		}
	}
	removeUnused()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_SH); err != nil {
		return nil, err
	}
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	if !isOwnFolder(folder) {
		return nil, fmt.Errorf("%s is not a folder of this user", folder)
	}
	if err := os.Chmod(folder, os.ModeSticky|0o777); err != nil {
		return nil, err
	}
	return func() { removeUnused(); lock.Close() }, os.Setenv("TMPDIR", folder)
}

func isOwnFolder(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return false
	}
	about, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(about.Uid) == os.Getuid()
}
