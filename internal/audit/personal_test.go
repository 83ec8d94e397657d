package audit_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/audit"
)

// counting is a random source whose bytes count up, so that two salts differ.
func counting() func(int) []byte {
	next := byte(0)
	return func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = next
			next++
		}
		return b
	}
}

// invited returns a recorded event whose IP address and one member of its data are personal.
func invited(t testing.TB) audit.Event {
	t.Helper()
	e := full()
	e.Data = []byte(`{"email":"a\u003c\"b@example.com","role":"MEMBER"}`)
	e.Personal = []audit.Personal{audit.DataMember("email", `a<"b@example.com`)}
	if err := e.Hide(counting()); err != nil {
		t.Fatal(err)
	}
	e.Seal(org, 0, audit.Genesis)
	return e
}

func verdict(e audit.Event) (erased int64, err error) {
	chain := audit.Chain{Org: org}
	err = chain.Next(e)
	return chain.Erased, err
}

// A recorded event contains no personal value, and still shows all of them.
func TestPersonalValuesAreHidden(t *testing.T) {
	e := invited(t)
	if strings.Contains(string(e.Data)+e.IPAddress, "example.com") || strings.Contains(e.IPAddress, "2001") || len(e.Personal) != 2 {
		t.Errorf("%s, %s, %+v", e.IPAddress, e.Data, e.Personal)
	}
	shown := e.Shown()
	if shown.IPAddress != "2001:db8::1" || string(shown.Data) != `{"email":"a\u003c\"b@example.com","role":"MEMBER"}` {
		t.Errorf("%s, %s", shown.IPAddress, shown.Data)
	}
	if erased, err := verdict(e); erased != 0 || err != nil {
		t.Errorf("%d erased, %v", erased, err)
	}
	same := full()
	same.Data, same.Personal = []byte(`{"email":"x"}`), []audit.Personal{audit.DataMember("email", "y")}
	if err := same.Hide(counting()); err == nil {
		t.Error("a personal value that is missing from the data is not reported")
	}
}

// The same address has a different hash in each event, so it cannot be looked up without the
// salt.
func TestSaltsDiffer(t *testing.T) {
	salt := counting()
	a, b := full(), full()
	if err := errors.Join(a.Hide(salt), b.Hide(salt)); err != nil {
		t.Fatal(err)
	}
	if a.IPAddress == b.IPAddress {
		t.Error("two events have the same hash of an address")
	}
}

// An erased value is counted and shown as erased, and the chain still verifies.
func TestErasedValues(t *testing.T) {
	e := invited(t)
	for i := range e.Personal {
		e.Personal[i].Value, e.Personal[i].Salt = "", ""
		if erased, err := verdict(e); erased != int64(i+1) || err != nil {
			t.Errorf("%d erased, %v", erased, err)
		}
	}
	shown := e.Shown()
	if shown.IPAddress != audit.Erased || string(shown.Data) != `{"email":"erased","role":"MEMBER"}` {
		t.Errorf("%s, %s", shown.IPAddress, shown.Data)
	}
	if text := string(e.AppendPersonal(nil)); text != `[{"name":"ipAddress"},{"name":"data.email"}]` {
		t.Errorf("stored as %s", text)
	}
}

// Verification finds every change to the personal values that are stored beside an event.
func TestChangedPersonalValuesAreFound(t *testing.T) {
	for name, touch := range map[string]func(*audit.Event){
		"a value":             func(e *audit.Event) { e.Personal[0].Value = "192.0.2.1" },
		"a value in the data": func(e *audit.Event) { e.Personal[1].Value = "b@example.com" },
		"a salt":              func(e *audit.Event) { e.Personal[0].Salt = strings.Repeat("00", 16) },
		"a salt alone":        func(e *audit.Event) { e.Personal[0].Value = "" },
		"a name":              func(e *audit.Event) { e.Personal[1].Name = "data.role" },
		"one more":            func(e *audit.Event) { e.Personal = append(e.Personal, audit.Personal{Name: "data.other"}) },
		"one twice":           func(e *audit.Event) { e.Personal = append(e.Personal, e.Personal[0]) },
		"none":                func(e *audit.Event) { e.Personal = nil },
		"no JSON":             func(e *audit.Event) { e.Personal = nil; e.ReadPersonal("x") },
	} {
		e := invited(t)
		touch(&e)
		var broken *audit.Broken
		if _, err := verdict(e); !errors.As(err, &broken) || broken.EventID != e.ID || !strings.Contains(broken.What, "personal value") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An exported line and docs/evidence.md are enough to put the hashes back and compute the
// event's hash.
func TestExportedLineVerifies(t *testing.T) {
	e := invited(t)
	erased := invited(t)
	for i := range erased.Personal {
		erased.Personal[i].Value, erased.Personal[i].Salt = "", ""
	}
	for _, event := range []audit.Event{e, erased} {
		line := event.AppendJSON(nil)
		var exported struct {
			IPAddress, Hash string
			Data            json.RawMessage
			Personal        []struct {
				Name, Hash string
				Salt       *string
			}
		}
		if err := json.Unmarshal(line, &exported); err != nil || len(exported.Personal) != 2 {
			t.Fatalf("%v in %s", err, line)
		}
		again := e
		again.IPAddress = exported.Personal[0].Hash
		var email struct{ Email string }
		_ = json.Unmarshal(exported.Data, &email)
		quoted, _ := json.Marshal(email.Email)
		again.Data = bytes.Replace(exported.Data, append([]byte(`"email":`), quoted...), []byte(`"email":"`+exported.Personal[1].Hash+`"`), 1)
		if again.Digest(org) != exported.Hash {
			t.Errorf("%s has a different hash", line)
		}
		for i, value := range []string{exported.IPAddress, email.Email} {
			p := exported.Personal[i]
			if p.Salt == nil {
				if value != audit.Erased {
					t.Errorf("%s has no salt and is shown as %s", p.Name, value)
				}
				continue
			}
			salt, _ := hex.DecodeString(*p.Salt)
			mac := hmac.New(sha256.New, salt)
			mac.Write([]byte(value))
			if p.Hash != "personal:"+hex.EncodeToString(mac.Sum(nil)) {
				t.Errorf("%s has a different hash", p.Name)
			}
		}
	}
}

func BenchmarkSeal(b *testing.B) {
	salt := counting()
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			e := full()
			e.Seal(org, 0, audit.Genesis)
		}
	})
	b.Run("hidden", func(b *testing.B) {
		for b.Loop() {
			e := full()
			_ = e.Hide(salt)
			_ = e.AppendPersonal(nil)
			e.Seal(org, 0, audit.Genesis)
		}
	})
}

// Texts are quoted as json.Marshal quotes them, on which every stored hash depends.
func TestAppendText(t *testing.T) {
	texts := []string{"", "plain", `"`, `\`, `a"b\c`, `{"reference":"A\"B"}`, "a<b", "a>b", `"&"`, "tab\t", "\x00", "\x7f", "ü", "\u2028", "\xff", `"ü"`, "ends with \\"}
	for c := range 0x180 {
		texts = append(texts, "a\""+string(rune(c))+"b")
	}
	for _, text := range texts {
		want, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := audit.AppendText([]byte("before"), text); string(got) != "before"+string(want) {
			t.Errorf("%q becomes %s, want %s", text, got, want)
		}
	}
}
