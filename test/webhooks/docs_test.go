package webhooks

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// sample is a delivery that a snippet of the document verifies.
type sample struct {
	Name    string
	Secret  string
	Headers map[string]string
	Body    string
	Good    bool // by webhook-signature
	Service bool // by X-Service-Signature
}

func sampleOf(a arrival, secret string) sample {
	s := sample{Secret: secret, Body: string(a.Body), Headers: map[string]string{}}
	for name, values := range a.Header {
		s.Headers[strings.ToLower(name)] = values[0]
	}
	return s
}

// modified is the sample with a change.
func (s sample) modified(name string, do func(*sample)) sample {
	s.Name = name
	headers := map[string]string{}
	for k, v := range s.Headers {
		headers[k] = v
	}
	s.Headers = headers
	do(&s)
	return s
}

// samples are real deliveries, unchanged and tampered with.
func samples(t *testing.T) []sample {
	h := open(t, storetest.SQLite(t))
	r := receive(t, nil)
	id, first := h.endpoint(r.URL)
	h.dispatch(longTimeout)
	next := func() arrival {
		t.Helper()
		n := r.count()
		h.record().step()
		h.waitFor("arrived", func() bool { return r.count() == n+1 })
		return r.arrivals()[n]
	}
	plain := sampleOf(next(), first)
	var second string
	h.update(h.org, func(tx *store.Tx) (err error) { _, second, err = h.service.Rotate(tx, h.call(), id); return err })
	both := next()
	h.advance(10 * time.Minute)
	late := next()
	good := func(s *sample) { s.Good, s.Service = true, true }
	nothing := func(*sample) {}
	head := func(name, value string) func(*sample) { return func(s *sample) { s.Headers[name] = value } }
	return []sample{
		plain.modified("as it came", good),
		sampleOf(both, first).modified("both secrets sign, the former", good),
		sampleOf(both, second).modified("both secrets sign, the new", good),
		plain.modified("by another secret", func(s *sample) { s.Secret = second }),
		plain.modified("another body", func(s *sample) { s.Body = strings.Replace(s.Body, "DRAFT", "DRAFU", 1) }),
		plain.modified("a longer body", func(s *sample) { s.Body += " " }),
		plain.modified("no body", func(s *sample) { s.Body = "" }),
		plain.modified("another id", func(s *sample) { s.Service = true; s.Headers["webhook-id"] = "evt_1" }),
		plain.modified("another time", func(s *sample) {
			s.Service = true
			s.Headers["webhook-timestamp"] = sampleOf(late, first).Headers["webhook-timestamp"]
		}),
		plain.modified("no number", func(s *sample) { s.Service = true; s.Headers["webhook-timestamp"] = "soon" }),
		plain.modified("no signature", func(s *sample) { s.Service = true; delete(s.Headers, "webhook-signature") }),
		plain.modified("no signature of the service", func(s *sample) { s.Good = true; delete(s.Headers, "x-service-signature") }),
		plain.modified("a signature of the service that is none", func(s *sample) { s.Good = true; s.Headers["x-service-signature"] = "t=,v1=ü" }),
		plain.modified("a signature that is none", func(s *sample) { head("webhook-signature", "v1,ü v1 ,")(s); s.Service = true }),
		sampleOf(late, second).modified("ten minutes off", nothing),
	}
}

// The verifiers in docs/webhooks.md and in the clients accept every real delivery and refuse every other.
func TestVerifiersOfTheDocument(t *testing.T) {
	t.Parallel()
	all := samples(t)
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "samples.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	python := func(driver string) func(string) (string, string, []string) {
		return func(snippet string) (string, string, []string) {
			return "verify.py", snippet + driver, []string{"python3"}
		}
	}
	golang := func(driver string) func(string) (string, string, []string) {
		return func(snippet string) (string, string, []string) {
			return "verify.go", driver + afterImports(snippet), []string{"go", "run"}
		}
	}
	for _, v := range []struct {
		name, program, snippet string
		service                bool // has a verifier of X-Service-Signature too
		run                    func(snippet string) (name, source string, command []string)
	}{
		{"python", "python3", snippet(t, "python"), true, python(pythonDriver)},
		{"javascript", "node", snippet(t, "javascript"), true, func(snippet string) (string, string, []string) {
			return "verify.js", snippet + nodeDriver, []string{"node"}
		}},
		{"go", "go", snippet(t, "go"), false, golang(goDriver)},
		{"python client", "python3", read(t, "../../clients/python/tidewaiter/webhooks.py"), false,
			python(strings.Replace(pythonDriver, "(verify, verify_service)", "(verify_webhook,)", 1))},
		{"go client", "go", read(t, "../../clients/go/webhook.go"), false, golang(goClientDriver)},
	} {
		t.Run(v.name, func(t *testing.T) {
			if out, err := exec.Command(v.program, "--version").CombinedOutput(); err != nil && v.program != "go" {
				t.Skipf("no %s here: %v: %s", v.program, err, out)
			}
			name, source, command := v.run(v.snippet)
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(command[0], append(command[1:], path, file)...).CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			var got [][]bool
			if err := json.Unmarshal(out, &got); err != nil || len(got) != len(all) {
				t.Fatalf("%v: %s", err, out)
			}
			for i, s := range all {
				if got[i][0] != s.Good || v.service && got[i][1] != s.Service {
					t.Errorf("%s: %v, want %v and %v", s.Name, got[i], s.Good, s.Service)
				}
			}
		})
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// snippet is the document's code in a language.
func snippet(t *testing.T, language string) string {
	t.Helper()
	_, found, begins := strings.Cut(read(t, "../../docs/webhooks.md"), "```"+language+"\n")
	found, _, ends := strings.Cut(found, "```\n")
	if !begins || !ends {
		t.Fatalf("docs/webhooks.md has no code in %s", language)
	}
	return found
}

const pythonDriver = `

import json, sys
print(json.dumps([[f(s["Secret"], s["Headers"], s["Body"].encode()) for f in (verify, verify_service)]
                  for s in json.load(open(sys.argv[1], encoding="utf-8"))]))
`

const nodeDriver = `
const samples = JSON.parse(require("node:fs").readFileSync(process.argv[2], "utf8"));
console.log(JSON.stringify(samples.map((s) => [verify, verifyService].map((f) => f(s.Secret, s.Headers, Buffer.from(s.Body))))));
`

// The driver of the Go snippet has the imports of both.
const goDriver = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	text, _ := os.ReadFile(os.Args[1])
	var samples []struct {
		Secret, Body string
		Headers      map[string]string
	}
	if err := json.Unmarshal(text, &samples); err != nil {
		panic(err)
	}
	results := [][2]bool{}
	for _, s := range samples {
		h := http.Header{}
		for name, value := range s.Headers {
			h.Set(name, value)
		}
		results = append(results, [2]bool{verify(s.Secret, h, []byte(s.Body))})
	}
	out, _ := json.Marshal(results)
	fmt.Println(string(out))
}
`

// goClientDriver has the imports of the client's file too, which uses no library.
var goClientDriver = strings.NewReplacer(
	"import (", "import (\n\t\"crypto/hmac\"\n\t\"crypto/sha256\"\n\t\"encoding/base64\"\n\t\"strconv\"\n\t\"strings\"\n\t\"time\"",
	"\tstandardwebhooks \"github.com/standard-webhooks/standard-webhooks/libraries/go\"\n", "",
	"verify(s.Secret", "VerifyWebhook(s.Secret",
).Replace(goDriver)

func afterImports(snippet string) string {
	_, rest, _ := strings.Cut(snippet, "\n)\n")
	return rest
}
