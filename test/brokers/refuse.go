package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// The file in which a test writes how messages are refused, and the one in which Kafka writes that it does so. Kafka gets an error
// code, close or missing; the queue and the storage get a status, a code and a message of their service.
const (
	refuseFile   = "refuse"
	refusingFile = "refusing"
)

func (s settings) refusal() string {
	text, _ := os.ReadFile(filepath.Join(s.dir, refuseFile)) // absent for none
	return string(text)
}

// follow makes a cluster refuse what the file says.
func (s settings) follow(c *steered) {
	for known := ""; ; time.Sleep(10 * time.Millisecond) {
		if how := s.refusal(); how != known {
			c.refuse(how)
			known = how
			_ = os.WriteFile(filepath.Join(s.dir, refusingFile), []byte(how), 0o600)
		}
	}
}

// refused answers a request as the file says, and reports whether it did.
func (s settings) refused(w http.ResponseWriter, service string) bool {
	parts := strings.SplitN(s.refusal(), " ", 3)
	if len(parts) < 3 {
		return false
	}
	status, _ := strconv.Atoi(parts[0])
	w.WriteHeader(status)
	refuse(w, service, parts[1], parts[2])
	return true
}

// refuse writes an error as a service does.
func refuse(w http.ResponseWriter, service, code, message string) {
	if service == "s3" {
		fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s</Message></Error>", code, message)
		return
	}
	fmt.Fprintf(w, `{"__type":"com.amazon.coral.service#%s","message":"%s"}`, code, message)
}
