// Command bench measures the speed and the memory of the service on this machine, and writes the results as a
// Markdown document:
//
//	go run ./test/bench -out docs/benchmarks.md
//
// It builds the program, starts it on free ports of the loopback address with data in a temporary folder, and
// loads it over HTTP. Comparisons are measured alternately, A B A B …, so that a disturbance of the machine
// affects both.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	out := flag.String("out", "", "file to write; standard output when empty")
	date := flag.String("date", time.Now().UTC().Format(time.DateOnly), "date of the document")
	only := flag.String("only", "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,w,x,y", "parts to measure, separated by commas")
	quick := flag.Bool("quick", false, "measure for a shorter time, and lists of 100,000 instead of 1,000,000")
	large := flag.Bool("large", false, "grow to 10,000,000 declarations in 10,000 organisations, which takes some 35 GB of disk")
	profile := flag.String("profile", "", "folder for processor and allocation profiles of the service; measures it slower")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	folder, err := os.MkdirTemp("", "tidewaiter-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	b, err := prepare(ctx, folder, *quick, *profile)
	if err != nil {
		return err
	}
	b.quick, b.large = *quick, *large
	m, err := b.machine(*date)
	if err != nil {
		return err
	}
	document := report{machine: m, bench: b}
	for _, p := range parts {
		if !slices.Contains(strings.Split(*only, ","), p.letter) {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring", p.title)
		s, err := p.measure(ctx, b)
		if err != nil {
			return fmt.Errorf("%s: %w", p.title, err)
		}
		s.title = p.title
		document.sections = append(document.sections, s)
	}
	if *out == "" {
		_, err = os.Stdout.WriteString(document.markdown())
		return err
	}
	return os.WriteFile(*out, []byte(document.markdown()), 0o644)
}

// part is one measurement.
type part struct {
	letter, title string
	measure       func(context.Context, *bench) (section, error)
}

var parts = []part{
	{"a", "Creating declarations", measureCreate},
	{"b", "Listing 50 declarations", measureList},
	{"c", "Listing 50 of a small and a large organisation", measureGrowth},
	{"d", "Documents of CDS", measureDocuments},
	{"e", "Starting and idling", measureStart},
	{"f", "Delivering webhooks", measureDeliver},
	{"g", "Delivering while others hang", measureHang},
	{"h", "Import and export", measureTables},
	{"i", "Pages of the audit trail", measureTrail},
	{"j", "Drawing up reports and returns", measureComputing},
	{"k", "Reviews", measureReviews},
	{"l", "AI helpers", measureHelpers},
	{"m", "Pages of the console", measureConsole},
	{"n", "Instances on PostgreSQL", measureFleet},
	{"o", "Growth on PostgreSQL", measureGrow},
	{"p", "Batches", measureBatch},
	{"q", "Listening to events", measureListen},
	{"r", "Finding declarations", measureFind},
	{"s", "Duties and origin", measureDuty},
	{"t", "Weight of the program", measureWeight},
	{"u", "A whole tariff", measureTariff},
	{"v", "Messages of authorities", measureMessages},
	{"w", "Delivering to brokers", measureDestinations},
	{"x", "Delivering beside an earlier commit", measureFormer},
	{"y", "Creating beside an earlier commit", measureFormerCreate},
	{"z", "A desk with a million declarations", measureDesk},
}

// bench is what every part needs.
type bench struct {
	folder     string // for data; removed at the end
	program    string // the service
	bare       string // the reference server
	pocketbase string // PocketBase, for comparison
	profile    string // where the service writes its profiles; empty for none
	rounds     int
	roundTime  time.Duration // of one measurement in one round
	many       int           // declarations of the large organisation

	quick, large bool // whether to measure less, or more
}

func prepare(ctx context.Context, folder string, quick bool, profile string) (*bench, error) {
	b := &bench{folder: folder, profile: profile, rounds: 3, roundTime: 3 * time.Second, many: 1_000_000}
	if quick {
		b.rounds, b.roundTime, b.many = 2, time.Second, 100_000
	}
	b.program, b.bare = filepath.Join(folder, "tidewaiter"), filepath.Join(folder, "bare")
	builds := [][]string{{"-trimpath", "-o", b.program, "./cmd/tidewaiter"}, {"-o", b.bare, "./test/bench/bare"}}
	if profile != "" {
		builds = append(builds, []string{"-o", b.profiler(), "./test/bench/profile"})
	}
	b.pocketbase = filepath.Join(folder, "pocketbase")
	builds = append(builds, []string{"-C", pocketbaseFolder, "-o", b.pocketbase, "."})
	for _, build := range builds {
		if err := goCommand(ctx, append([]string{"build"}, build...)...).Run(); err != nil {
			return nil, fmt.Errorf("go build %s: %w", strings.Join(build, " "), err)
		}
	}
	return b, nil
}

// goCommand is the go tool at the root of the module, without cgo as the service is built.
func goCommand(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "go", args...)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	c.Stderr = os.Stderr
	return c
}

func (b *bench) profiler() string { return filepath.Join(b.folder, "profile") }

// serve is the command of the service, or of its variant that profiles itself.
func (b *bench) serve(name string) []string {
	if b.profile == "" {
		return []string{b.program, "serve"}
	}
	return []string{b.profiler(), filepath.Join(b.profile, name)}
}
