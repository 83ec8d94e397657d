// Command profile is the service with a processor and an allocation profile of its whole run, which released
// programs do not have. The benchmark starts it instead of the service:
//
//	go run ./test/bench -only a,b -profile /tmp/profiles
//	go tool pprof -top /tmp/profiles/create.cpu
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// program is the command line: the settings of the service, and where to write.
type program struct {
	Output string `arg:"" help:"Name of the profiles, without .cpu and .allocs."`
	config.Config
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "profile:", err)
		os.Exit(1)
	}
}

func run() (err error) {
	var p program
	kong.Parse(&p)
	if err := p.Config.Complete(os.Getenv); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(p.Output), 0o755); err != nil {
		return err
	}
	processor, err := os.Create(p.Output + ".cpu")
	if err != nil {
		return err
	}
	defer processor.Close()
	if err := pprof.StartCPUProfile(processor); err != nil {
		return err
	}
	err = serve(p.Config)
	pprof.StopCPUProfile()
	return errors.Join(err, writeAllocations(p.Output+".allocs"))
}

func serve(c config.Config) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a, err := app.Open(ctx, c, app.Deps{Log: slog.New(slog.NewJSONHandler(os.Stderr, nil))})
	if err != nil {
		return err
	}
	return errors.Join(a.Serve(ctx, func(string) {}), a.Close())
}

func writeAllocations(name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(pprof.Lookup("allocs").WriteTo(file, 0), file.Close())
}
