package deploy_test

import (
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template/parse"

	"go.yaml.in/yaml/v4"
)

var chart = filepath.Join(folder, "helm", "tidewaiter")

func templates(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%q, %v", files, err)
	}
	return files
}

// leaves returns the paths of the values that are not groups.
func leaves(values map[string]any, prefix string) (paths []string) {
	for name, value := range values {
		if group, ok := value.(map[string]any); ok && len(group) > 0 && prefix+name != "config" && prefix+name != "secret.settings" && prefix+name != "resources" {
			paths = append(paths, leaves(group, prefix+name+".")...)
		} else {
			paths = append(paths, prefix+name)
		}
	}
	return paths
}

// The chart's templates are well formed, use only values that exist, and use all of them.
func TestChartUsesItsValues(t *testing.T) {
	values := decoded[map[string]any](t, text(t, "helm", "tidewaiter", "values.yaml"))
	known := leaves(values, "")
	used := map[string]bool{}
	for _, file := range templates(t) {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tree := parse.New(file)
		tree.Mode = parse.SkipFuncCheck
		if _, err := tree.Parse(string(b), "", "", map[string]*parse.Tree{}); err != nil {
			t.Error(err)
		}
		for _, found := range regexp.MustCompile(`\.Values\.([A-Za-z.]+[A-Za-z])`).FindAllStringSubmatch(string(b), -1) {
			used[found[1]] = true
			if !slices.Contains(known, found[1]) {
				t.Errorf("%s uses %s, which is not in values.yaml", file, found[1])
			}
		}
	}
	for _, path := range known {
		if !used[path] {
			t.Errorf("no template uses the value %s", path)
		}
	}
	settings, err := yaml.Marshal(values["config"])
	if err != nil {
		t.Fatal(err)
	}
	checked(t, string(settings))
	for setting := range values["secret"].(map[string]any)["settings"].(map[string]any) {
		if name := "TIDEWAITER_" + strings.ToUpper(strings.ReplaceAll(setting, "-", "_")) + "_FILE"; !variables(t)[name] {
			t.Errorf("%s is not a secret setting", setting)
		}
	}
}

// Helm renders the chart in every configuration. The pods run without privileges, have probes, and only the
// migration gets the owner's address.
func TestChartRenders(t *testing.T) {
	helm := os.Getenv("TIDEWAITER_HELM")
	if helm == "" {
		t.Skip("no Helm: TIDEWAITER_HELM is not set; make check-deploy builds one")
	}
	if out, err := exec.Command(helm, "lint", "--strict", chart).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for set, want := range map[string][]string{
		"replicas=1,secret.settings.database-url=null,migrate.enabled=false,data.existingClaim=c": {
			"ConfigMap", "Deployment", "NetworkPolicy", "PodDisruptionBudget", "Service", "ServiceAccount",
		},
		"replicas=3,tls.secretName=s": {"ConfigMap", "Deployment", "Job", "NetworkPolicy", "PodDisruptionBudget", "Service", "ServiceAccount"},
		"ingress.enabled=true,ingress.tlsSecret=t,autoscaling.enabled=true,metrics.serviceMonitor.enabled=true,data.existingClaim=c,podLabels.a=b,podAnnotations.a=b": {
			"ConfigMap", "Deployment", "HorizontalPodAutoscaler", "Ingress", "Job", "NetworkPolicy", "PodDisruptionBudget", "Service", "ServiceAccount", "ServiceMonitor",
		},
		"metrics.enabled=false,migrate.enabled=false,networkPolicy.enabled=false,podDisruptionBudget.enabled=false,serviceAccount.create=false": {"ConfigMap", "Deployment", "Service"},
	} {
		t.Run(set, func(t *testing.T) {
			out, err := exec.Command(helm, "template", "here", chart, "--kube-version", "1.34.0", "--set", set, "--set", "image.digest="+someDigest).Output()
			if err != nil {
				t.Fatal(err)
			}
			found := map[string]bool{}
			decoder := yaml.NewDecoder(strings.NewReader(string(out)))
			for {
				var o object
				if err := decoder.Decode(&o); err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				found[o.Kind] = true
				o.check(t)
			}
			if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, want) {
				t.Errorf("rendered %q", got)
			}
		})
	}
}

// someDigest is a well-formed digest.
const someDigest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// rendered is the output of Helm for the chart with these values.
func rendered(t *testing.T, sets ...string) (text string, err error) {
	t.Helper()
	helm := os.Getenv("TIDEWAITER_HELM")
	if helm == "" {
		t.Skip("no Helm: TIDEWAITER_HELM is not set; make check-deploy builds one")
	}
	out, err := exec.Command(helm, "template", "here", chart, "--kube-version", "1.34.0", "--set", strings.Join(sets, ",")).CombinedOutput()
	return string(out), err
}

// The chart refuses, with an explanation, values that would lose data or run an image that can change.
func TestChartRefuses(t *testing.T) {
	const digest = "image.digest=" + someDigest
	for set, says := range map[string]string{
		"image.tag=0.2.0":          "image.digest is required",
		"image.digest=sha256:0123": "image.digest must be sha256:",
		"image.digest=latest":      "image.digest must be sha256:",
		digest + ",replicas=2,secret.settings.database-url=null":                          "More than one replica needs PostgreSQL",
		digest + ",replicas=1,autoscaling.enabled=true,secret.settings.database-url=null": "More than one replica needs PostgreSQL",
		digest + ",replicas=1,secret.settings.database-url=null":                          "migrate.enabled needs PostgreSQL",
		digest + ",replicas=1,migrate.enabled=false,secret.settings.database-url=null":    "SQLite needs a volume",
		digest + ",resources.limits.memory=null":                                          "resources.limits.memory is required",
		digest + ",resources.limits.memory=lots":                                          "resources.limits.memory: lots is not a number",
	} {
		if out, err := rendered(t, set); err == nil || !strings.Contains(out, says) {
			t.Errorf("%s: %v, want %q in\n%s", set, err, says, out)
		}
	}
}

// Go's memory limit is 90 % of the container's, in any unit; with TLS the probes use HTTPS; on SQLite a second pod
// never runs beside the first.
func TestChartDerives(t *testing.T) {
	const digest = "image.digest=" + someDigest
	for set, wants := range map[string][]string{
		digest: {`value: "966367641B"`, "image: tidewaiter@" + someDigest, "scheme: HTTP}", "type: RollingUpdate", "appProtocol: http}"},
		digest + ",resources.limits.memory=1500M,tls.secretName=s,image.commit=abc": {
			`value: "1350000000B"`, "scheme: HTTPS}", "value: /run/tls/tls.crt", `tidewaiter/commit: "abc"`, "appProtocol: https}",
		},
		digest + ",resources.limits.memory=1.5Gi":                                                           {`value: "1449551462B"`},
		digest + ",replicas=1,migrate.enabled=false,secret.settings.database-url=null,data.existingClaim=c": {"type: Recreate"},
		"image.allowTag=true,image.tag=0.3.0":                                                               {"image: tidewaiter:0.3.0"},
	} {
		out, err := rendered(t, set)
		if err != nil {
			t.Fatalf("%s: %v\n%s", set, err, out)
		}
		for _, want := range wants {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %s", set, want)
			}
		}
		if strings.Contains(set, "tls.secretName") && strings.Contains(out, "scheme: HTTP}") {
			t.Errorf("%s: a probe does not use TLS", set)
		}
	}
}

// object contains the parts of a rendered object that the tests check.
type object struct {
	Kind     string
	Metadata struct{ Name string }
	Data     map[string]string
	Spec     struct{ Template struct{ Spec pod } }
}

type pod struct {
	SecurityContext struct {
		RunAsNonRoot bool `yaml:"runAsNonRoot"`
	} `yaml:"securityContext"`
	Token      *bool `yaml:"automountServiceAccountToken"`
	Links      *bool `yaml:"enableServiceLinks"`
	Containers []struct {
		Args            []string
		Env             []struct{ Name, Value string }
		SecurityContext struct {
			Escalation *bool `yaml:"allowPrivilegeEscalation"`
			ReadOnly   bool  `yaml:"readOnlyRootFilesystem"`
		} `yaml:"securityContext"`
		Readiness map[string]any `yaml:"readinessProbe"`
		Liveness  map[string]any `yaml:"livenessProbe"`
		Mounts    []struct {
			Path string `yaml:"mountPath"`
		} `yaml:"volumeMounts"`
	}
}

func (o object) check(t *testing.T) {
	t.Helper()
	if o.Kind == "ConfigMap" {
		checked(t, o.Data["tidewaiter.yaml"])
	}
	if o.Kind != "Deployment" && o.Kind != "Job" {
		return
	}
	p := o.Spec.Template.Spec
	if !p.SecurityContext.RunAsNonRoot || p.Token == nil || *p.Token || p.Links == nil || *p.Links {
		t.Errorf("the pod of the %s has too many privileges: %+v", o.Kind, p)
	}
	for _, c := range p.Containers {
		runs(t, o.Kind, c.Args[0])
		if !c.SecurityContext.ReadOnly || c.SecurityContext.Escalation == nil || *c.SecurityContext.Escalation {
			t.Errorf("the container of the %s has too many privileges", o.Kind)
		}
		if o.Kind == "Deployment" && (c.Readiness == nil || c.Liveness == nil) {
			t.Error("the container has no health probes")
		}
		for _, e := range c.Env {
			if strings.HasPrefix(e.Name, "TIDEWAITER_") && !variables(t)[e.Name] {
				t.Errorf("the %s sets %s", o.Kind, e.Name)
			}
			if strings.Contains(e.Name, "OWNER") && o.Kind != "Job" {
				t.Errorf("the %s sees the owner's address", o.Kind)
			}
			file := strings.HasPrefix(e.Value, "/run/secrets/")
			if mounted := slices.ContainsFunc(c.Mounts, func(m struct {
				Path string `yaml:"mountPath"`
			}) bool {
				return strings.HasPrefix(e.Value, m.Path+"/")
			}); file && !mounted {
				t.Errorf("the %s reads %s, which no volume mounts", o.Kind, e.Value)
			}
		}
	}
}
