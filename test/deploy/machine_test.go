package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mostExposure is what systemd's own judgement of the unit may be, in tenths of ten.
const mostExposure = "20"

// The unit keeps the service from everything that it does not need, and does not start
// it again when a setting is wrong; systemd itself finds nothing wrong with it.
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
		t.Fatal("the unit starts nothing")
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

// The image has nothing in it but the program, which runs as nobody in particular and
// can be asked for its health without a shell; it is built by the module's own Go,
// from files that there are.
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
		case in.name == "FROM" && strings.Contains(in.rest, "golang:"):
			module, err := os.ReadFile("../../go.mod")
			wanted := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(module))
			if err != nil || !strings.Contains(in.rest, "golang:"+wanted[1]+"-") {
				t.Errorf("built by %s, the module wants %s", in.rest, wanted)
			}
		case in.name == "RUN" && strings.Contains(in.rest, "go build") && !strings.Contains(in.rest, "CGO_ENABLED=0"):
			t.Error("built with cgo")
		}
	}
	for name, want := range map[string]string{
		"FROM": "gcr.io/distroless/static-debian12:nonroot", "USER": "65532:65532", "ENTRYPOINT": `["/usr/local/bin/tidewaiter"]`, "CMD": `["serve"]`, "STOPSIGNAL": "SIGTERM",
	} {
		if last[name] != want {
			t.Errorf("%s is %q, want %q", name, last[name], want)
		}
	}
	if !strings.HasSuffix(last["HEALTHCHECK"], `CMD ["/usr/local/bin/tidewaiter", "health"]`) {
		t.Errorf("health is asked by %s", last["HEALTHCHECK"])
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
}

// compose is the whole file.
type compose struct {
	Services map[string]service
	Networks map[string]any
	Volumes  map[string]any
	Secrets  map[string]struct{ File string }
}

// The compose file names nothing that it has not got, keeps every password in a file
// that its script makes, and shows the owner's address to the migration alone.
func TestCompose(t *testing.T) {
	c, script := decoded[compose](t, text(t, "compose", "compose.yaml")), text(t, "compose", "secrets.sh")
	used := map[string]bool{}
	for name, s := range c.Services {
		if s.Image != "tidewaiter" && !regexp.MustCompile(`:\d+$`).MatchString(s.Image) {
			t.Errorf("%s runs whatever %q is today", name, s.Image)
		}
		for other, on := range s.DependsOn {
			if _, there := c.Services[other]; !there || on.Condition == "service_healthy" && c.Services[other].Healthcheck.Test == nil {
				t.Errorf("%s waits for %s to be %s", name, other, on.Condition)
			}
		}
		for _, secret := range s.Secrets {
			used[secret] = true
			if c.Secrets[secret].File != "secrets/"+secret || !strings.Contains(script, secret) {
				t.Errorf("%s has the secret %s, which is made nowhere", name, secret)
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

// The scripts are in the language of the shell that runs them.
func TestScripts(t *testing.T) {
	for _, name := range []string{"roles.sh", "secrets.sh"} {
		if out, err := exec.Command("sh", "-n", filepath.Join(folder, "compose", name)).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
