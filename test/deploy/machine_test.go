package deploy_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mostExposure is the highest permitted exposure rating by systemd-analyze, in tenths of its scale of ten.
const mostExposure = "20"

// The unit denies the service everything that it does not need, and does not restart it after a wrong setting.
// systemd-analyze finds no error in it.
func TestUnit(t *testing.T) {
	unit := text(t, "systemd", "tidewaiter.service")
	for _, line := range []string{
		"NoNewPrivileges=yes", "ProtectSystem=strict", "ProtectHome=yes", "PrivateTmp=yes", "PrivateDevices=yes", "CapabilityBoundingSet=", "StateDirectory=tidewaiter",
		"MemoryDenyWriteExecute=yes", "SystemCallFilter=@system-service", "RestrictNamespaces=yes", "User=tidewaiter", "RestartPreventExitStatus=2", "UMask=0077",
	} {
		if !strings.Contains(unit, "\n"+line+"\n") {
			t.Errorf("the unit lacks %s", line)
		}
	}
	found := regexp.MustCompile(`(?m)^ExecStart=\S+ (\w+)$`).FindStringSubmatch(unit)
	if found == nil {
		t.Fatal("the unit has no ExecStart")
	}
	runs(t, "the unit", found[1])

	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("no systemd-analyze on this machine")
	}
	file := filepath.Join(t.TempDir(), "tidewaiter.service")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(unit, "/usr/local/bin/tidewaiter serve", "/bin/true serve")), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"verify", "--man=no", file}, {"security", "--offline=true", "--threshold=" + mostExposure, file}} {
		if out, err := exec.Command("systemd-analyze", args...).CombinedOutput(); err != nil || args[0] == "verify" && len(out) > 0 {
			t.Errorf("%s: %v\n%s", args[0], err, out)
		}
	}
}

// instruction is a line of a Dockerfile.
type instruction struct{ name, rest string }

func instructions(text string) (all []instruction) {
	for _, line := range strings.Split(strings.ReplaceAll(text, "\\\n", " "), "\n") {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name != "" && !strings.HasPrefix(name, "#") {
			all = append(all, instruction{name, strings.TrimSpace(rest)})
		}
	}
	return all
}

// The image contains only the program, runs it as an unprivileged user, and has a health check that needs no
// shell. It is built with the module's Go version from files that exist.
func TestDockerfile(t *testing.T) {
	last := map[string]string{}
	for _, in := range instructions(text(t, "Dockerfile")) {
		last[in.name] = in.rest
		words := strings.Fields(in.rest)
		switch {
		case in.name == "COPY" && !strings.HasPrefix(words[0], "--from"):
			for _, source := range words[:len(words)-1] {
				if source == "." {
					t.Error("everything is copied")
				} else if _, err := os.Stat(filepath.Join("../..", source)); err != nil {
					t.Error(err)
				}
			}
		case in.name == "FROM" && !regexp.MustCompile(`^(--platform=\$BUILDPLATFORM )?\$\{(BUILD|RUNTIME)_IMAGE\}`).MatchString(in.rest):
			t.Errorf("%s is not an image pinned by digest", in.rest)
		case in.name == "RUN" && strings.Contains(in.rest, "go build") && !strings.Contains(in.rest, "CGO_ENABLED=0"):
			t.Error("built with cgo")
		}
	}
	for name, want := range map[string]string{
		"FROM": "${RUNTIME_IMAGE}", "USER": "65532:65532", "ENTRYPOINT": `["/usr/local/bin/tidewaiter"]`, "CMD": `["serve"]`, "STOPSIGNAL": "SIGTERM",
	} {
		if last[name] != want {
			t.Errorf("%s is %q, want %q", name, last[name], want)
		}
	}
	for _, want := range []string{`image.version="$VERSION"`, `image.revision="$COMMIT"`, `image.licenses="Apache-2.0"`} {
		if !strings.Contains(last["LABEL"], want) {
			t.Errorf("no label with %s", want)
		}
	}
	if !strings.HasSuffix(last["HEALTHCHECK"], `CMD ["/usr/local/bin/tidewaiter", "health"]`) {
		t.Errorf("the health check is %s", last["HEALTHCHECK"])
	}
	runs(t, "the image", "serve")
	runs(t, "its health check", "health")
}

// service is one of the compose file.
type service struct {
	Image       string
	Build       struct{ Context, Dockerfile string }
	Command     []string
	Environment map[string]string
	Secrets     []string
	Networks    []string
	Volumes     []string
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	Healthcheck struct{ Test []string }
	CapDrop     []string `yaml:"cap_drop"`
	ReadOnly    bool     `yaml:"read_only"`
	SecurityOpt []string `yaml:"security_opt"`
	Memory      string   `yaml:"mem_limit"`
	Logging     struct {
		Driver  string
		Options map[string]string
	}
}

// bounded fails the test unless a service has a memory limit, GOMEMLIMIT is 90 % of it, and its logs are rotated.
func (s service) bounded(t *testing.T, name string) {
	t.Helper()
	if s.Logging.Driver != "json-file" || s.Logging.Options["max-size"] == "" || s.Logging.Options["max-file"] == "" {
		t.Errorf("the logs of %s are not limited: %+v", name, s.Logging)
	}
	found := regexp.MustCompile(`^(\d+)([mg])$`).FindStringSubmatch(s.Memory)
	if found == nil {
		t.Fatalf("%s has the memory limit %q", name, s.Memory)
	}
	mebibytes, _ := strconv.Atoi(found[1])
	if found[2] == "g" {
		mebibytes *= 1024
	}
	if want := fmt.Sprintf("%dMiB", mebibytes*9/10); s.Image == "tidewaiter" && s.Environment["GOMEMLIMIT"] != want {
		t.Errorf("%s has GOMEMLIMIT %q, 90 %% of its memory are %s", name, s.Environment["GOMEMLIMIT"], want)
	}
}

// compose is the whole file.
type compose struct {
	Services map[string]service
	Networks map[string]any
	Volumes  map[string]any
	Secrets  map[string]struct{ File string }
}

// The compose file refers only to what it defines, keeps every password in a file that its script generates, and
// gives the owner's address only to the migration.
func TestCompose(t *testing.T) {
	c, script := decoded[compose](t, text(t, "compose", "compose.yaml")), text(t, "compose", "secrets.sh")
	used := map[string]bool{}
	for name, s := range c.Services {
		if s.Image != "tidewaiter" && !regexp.MustCompile(`^\$\{[A-Z]+_IMAGE:\?run ./images.sh first\}$`).MatchString(s.Image) {
			t.Errorf("%s runs %q, which is not pinned by digest", name, s.Image)
		}
		s.bounded(t, name)
		for other, on := range s.DependsOn {
			if _, there := c.Services[other]; !there || on.Condition == "service_healthy" && c.Services[other].Healthcheck.Test == nil {
				t.Errorf("%s waits for %s to be %s", name, other, on.Condition)
			}
		}
		for _, secret := range s.Secrets {
			used[secret] = true
			if c.Secrets[secret].File != "secrets/"+secret || !strings.Contains(script, secret) {
				t.Errorf("%s has the secret %s, which no script generates", name, secret)
			}
			if strings.Contains(secret, "owner-url") && name != "migrate" {
				t.Errorf("%s sees the owner's address", name)
			}
		}
		for variable, value := range s.Environment {
			file, secret := strings.CutPrefix(value, "/run/secrets/")
			switch {
			case strings.HasSuffix(variable, "_FILE") != secret, secret && !strings.Contains(strings.Join(s.Secrets, " "), file):
				t.Errorf("%s: %s is %s", name, variable, value)
			case strings.Contains(value, "@"):
				t.Errorf("%s: %s holds a password", name, variable)
			}
		}
		for _, network := range s.Networks {
			if _, there := c.Networks[network]; !there {
				t.Errorf("%s is on %s", name, network)
			}
		}
	}
	if len(used) != len(c.Secrets) {
		t.Errorf("%d secrets, %d are used", len(c.Secrets), len(used))
	}
	it := c.Services["tidewaiter"]
	if !it.ReadOnly || len(it.CapDrop) != 1 || it.CapDrop[0] != "ALL" || it.DependsOn["migrate"].Condition != "service_completed_successfully" {
		t.Errorf("%+v", it)
	}
	runs(t, "the compose file", c.Services["migrate"].Command[0])
}

// The scripts are valid in the shell that runs them.
func TestScripts(t *testing.T) {
	for _, name := range []string{"roles.sh", "secrets.sh", "images.sh"} {
		if out, err := exec.Command("sh", "-n", filepath.Join(folder, "compose", name)).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// The images are pinned by digest: images.sh writes the digests that docker reports for Compose and the
// Dockerfile, and writes nothing if one is missing.
func TestImages(t *testing.T) {
	module, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	language := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(module))[1]
	for name, c := range map[string]struct {
		answer string
		works  bool
	}{
		"digests":                {"echo " + someDigest, true},
		"no registry":            {"exit 1", false},
		"an answer of no digest": {"echo latest", false},
		"one digest missing":     {`case "$*" in *postgres*) echo ;; *) echo ` + someDigest + " ;; esac", false},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			folder := filepath.Join(root, "deploy", "compose")
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			put := func(path, text string) {
				t.Helper()
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			put(filepath.Join(folder, "images.sh"), text(t, "compose", "images.sh"))
			put(filepath.Join(root, "scripts", "version"), "#!/bin/sh\necho v0.2.0\n")
			put(filepath.Join(root, "bin", "docker"), "#!/bin/sh\n"+c.answer+"\n")
			put(filepath.Join(root, "bin", "git"), "#!/bin/sh\necho 0123abc\n")
			cmd := exec.Command("sh", filepath.Join(folder, "images.sh"))
			cmd.Env = append(os.Environ(), "PATH="+filepath.Join(root, "bin")+":"+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			written, _ := os.ReadFile(filepath.Join(folder, ".env"))
			if works := err == nil; works != c.works || works != (len(written) > 0) {
				t.Fatalf("%v\n%s\nwrote\n%s", err, out, written)
			}
			if !c.works {
				return
			}
			for _, want := range []string{"BUILD_IMAGE=golang:" + language + "-bookworm@" + someDigest + "\n", "VERSION=v0.2.0\n", "COMMIT=0123abc\n"} {
				if !strings.Contains(string(written), want) {
					t.Errorf("no %s in\n%s", want, written)
				}
			}
			for _, used := range regexp.MustCompile(`\$\{([A-Z_]+):\?`).FindAllStringSubmatch(text(t, "compose", "compose.yaml"), -1) {
				if !strings.Contains(string(written), used[1]+"=") {
					t.Errorf("Compose needs %s, which is not written", used[1])
				}
			}
		})
	}
}

// The version is the same everywhere. It is that of the changelog's newest entry or, after a release, one that may
// follow it.
func TestVersionAgrees(t *testing.T) {
	version, err := os.ReadFile("../../VERSION")
	if err != nil {
		t.Fatal(err)
	}
	number := strings.TrimSpace(string(version))
	if chart := text(t, "helm", "tidewaiter", "Chart.yaml"); !strings.Contains(chart, "\nappVersion: \""+number+"\"\n") {
		t.Errorf("VERSION is %s, the chart's appVersion another", number)
	}
	log, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	newest := regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$`).FindStringSubmatch(string(log))
	if newest == nil {
		t.Fatal("the changelog has no version with a date")
	}
	var major, minor, patch int
	if _, err := fmt.Sscanf(newest[1], "%d.%d.%d", &major, &minor, &patch); err != nil {
		t.Fatal(err)
	}
	next := []string{fmt.Sprintf("%d.%d.%d", major, minor, patch+1), fmt.Sprintf("%d.%d.0", major, minor+1), fmt.Sprintf("%d.0.0", major+1)}
	if number != newest[1] && !(slices.Contains(next, number) && strings.Contains(string(log), "\n## [Unreleased]\n")) {
		t.Errorf("VERSION is %s, the newest entry of the changelog is %s", number, newest[1])
	}
}
