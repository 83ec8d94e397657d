package customs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// If the form's answer is lost, the service waits for the notification before it posts the file again.
func TestLostAnswerOfTheForm(t *testing.T) {
	forEachHMRC(t, func(h *hmrc) {
		h.form = hangUp
		h.must(h.add("one"))
		h.work()
		h.advance(9 * time.Minute)
		h.work()
		if h.posted[firstForm] != 1 {
			h.Errorf("within ten minutes: posts %v", h.posted)
		}
		h.form = nil
		h.advance(2 * time.Minute)
		h.work()
		h.wantStatuses(customs.FileSent)
		if h.posted[firstForm] != 2 || len(h.asked) != 1 {
			h.Errorf("after ten minutes: posts %v, %d requests", h.posted, len(h.asked))
		}
	})
}

// The test clock of an organisation may stand. The wait for the notification passes all the same.
func TestLostAnswerWhileClockStands(t *testing.T) {
	forEachHMRCAs(t, tenant.TestID(string(orgID)), func(h *hmrc) {
		h.update(func(tx *store.Tx) error { return tx.SetTestClock(tx.Now()) })
		h.form = hangUp
		h.must(h.add("one"))
		h.work()
		h.form = nil
		h.advance(11 * time.Minute)
		h.work()
		h.wantStatuses(customs.FileSent)
		if h.posted[firstForm] != 2 {
			h.Errorf("posts %v", h.posted)
		}
	})
}

// A process that ends between the post and the storing of its result loses nothing, and the next one does not post at once.
func TestCrashAfterThePost(t *testing.T) {
	forEachHMRC(t, func(h *hmrc) {
		h.must(h.add("one"))
		forms := &jobs.Pump{Queue: jobs.Queue{Name: customs.FormsQueue, Workers: 1, Do: h.service.SendForms}, Store: h.store, Log: h.service.Log}
		_, err := forms.Step(h.Context())
		h.must(err)
		leased, err := h.store.LeaseJobs(h.Context(), customs.FileQueue, 1, jobs.Lease)
		h.must(err)
		h.form = func(w http.ResponseWriter, _ string) { w.WriteHeader(http.StatusNoContent) }
		func() {
			defer func() { _, h.service.Sender = recover(), h.sender }()
			h.service.Sender = crashing{h.sender}
			_ = h.service.SendFile(h.Context(), leased[0])
		}()
		h.wantStatuses(customs.FileRequested)
		h.advance(2 * jobs.Lease)
		h.work()
		if h.posted[firstForm] != 1 {
			h.Errorf("after the crash: posts %v", h.posted)
		}
		h.notify(firstForm, "SUCCESS")
		h.wantStatuses(customs.FileReceived)
		h.advance(time.Hour)
		h.work()
		if h.posted[firstForm] != 1 {
			h.Errorf("after the notification: posts %v", h.posted)
		}
	})
}

// crashing ends its process after a file was posted.
type crashing struct{ *sender }

func (c crashing) PostFile(ctx context.Context, org tenant.ID, form client.Form, file client.FormFile) client.Outcome {
	c.sender.PostFile(ctx, org, form, file)
	panic("the process ends")
}

// A form that refuses the file as if it had expired is replaced, at most twice. Any other refusal rejects the file.
func TestRefusedByTheForm(t *testing.T) {
	forEachHMRC(t, func(h *hmrc) {
		h.form = func(w http.ResponseWriter, reference string) {
			if reference == firstForm {
				w.WriteHeader(http.StatusForbidden)
				return
			}
			w.WriteHeader(http.StatusNoContent)
		}
		h.must(h.add("one"))
		h.work()
		h.wantStatuses(customs.FileSent)
		if len(h.asked) != 2 || h.posted[nextForm] != 1 {
			h.Errorf("%d requests, posts %v", len(h.asked), h.posted)
		}
		h.form = func(w http.ResponseWriter, _ string) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, "<Error><Code>EntityTooLarge</Code><Message>Too large</Message></Error>")
		}
		h.must(h.add("two"))
		h.work()
		h.wantStatuses(customs.FileSent, customs.FileRejected)
		if reason := h.files()[1].Reason; reason != "Customs' upload form refused it. EntityTooLarge: Too large" {
			h.Errorf("reason %q", reason)
		}
		h.form = func(w http.ResponseWriter, _ string) { w.WriteHeader(http.StatusForbidden) }
		before := len(h.asked)
		h.must(h.add("three"))
		h.work()
		h.wantStatuses(customs.FileSent, customs.FileRejected, customs.FileRejected)
		if n := len(h.asked) - before; n != 3 {
			h.Errorf("%d requests for forms, not 3", n)
		}
	})
}

// A form that has expired while the service could not send is not used; another one is.
func TestExpiredForm(t *testing.T) {
	forEachHMRC(t, func(h *hmrc) {
		h.must(h.add("one"))
		forms := &jobs.Pump{Queue: jobs.Queue{Name: customs.FormsQueue, Workers: 1, Do: h.service.SendForms}, Store: h.store, Log: h.service.Log}
		_, err := forms.Step(h.Context())
		h.must(err)
		h.advance(7 * 24 * time.Hour)
		h.work()
		h.wantStatuses(customs.FileSent)
		if h.posted[firstForm] != 0 || h.posted[nextForm] != 1 {
			h.Errorf("posts %v", h.posted)
		}
	})
}

// Requests for forms are repeated until HMRC answers. If it refuses the request, the files are rejected.
func TestNoForms(t *testing.T) {
	forEachHMRC(t, func(h *hmrc) {
		h.formsCode = http.StatusInternalServerError
		h.must(h.add("one"))
		h.work()
		h.wantStatuses(customs.FileRequested)
		h.formsCode = 0
		h.advance(2 * time.Minute)
		h.work()
		h.wantStatuses(customs.FileSent)
		h.formsCode = http.StatusBadRequest
		h.must(h.add("two"))
		h.work()
		h.wantStatuses(customs.FileSent, customs.FileRejected)
		h.wantEvents("file_rejected", 1)
	})
}

// Files are scanned before anything about them is sent. An infected file is rejected, the others are sent; after a failure
// of the scanner the file is scanned again.
func TestScan(t *testing.T) {
	forEachHMRC(t, func(h *hmrc) {
		h.service.Scanner = scanner("grep -q EICAR && echo Found: EICAR && exit 1; exit 0")
		h.must(h.add("clean", "EICAR"))
		h.work()
		h.wantStatuses(customs.FileSent, customs.FileRejected)
		if f := h.files()[1]; f.Reason != "The virus scan refused it. Found: EICAR" || len(h.asked) != 1 || !strings.Contains(h.asked[0], "<FileGroupSize>1<") {
			h.Errorf("file %v, requests %q", f, h.asked)
		}
		h.service.Scanner = scanner("exit 2")
		h.must(h.add("later"))
		h.work()
		h.wantStatuses(customs.FileSent, customs.FileRejected, customs.FileRequested)
		if len(h.asked) != 1 {
			h.Errorf("asked for a form before the scan: %q", h.asked)
		}
		h.service.Scanner = scanner("exit 0")
		h.advance(2 * time.Minute)
		h.work()
		h.wantStatuses(customs.FileSent, customs.FileRejected, customs.FileSent)
	})
}

func scanner(script string) *attachment.Scanner {
	return &attachment.Scanner{Command: []string{"/bin/sh", "-c", script}, Timeout: time.Minute}
}

// The quota holds for all files of the organisation; what exceeds it is refused with nothing stored.
func TestQuota(t *testing.T) {
	forEachHMRC(t, func(h *hmrc) {
		h.service.Attachments.Quota = 8
		h.must(h.add("12345"))
		if err := h.add("6", "789"); !apierr.Is(err, apierr.PayloadTooLarge) {
			h.Errorf("beyond the quota: %v", err)
		}
		h.must(h.add("678"))
		if n := len(h.files()); n != 2 {
			h.Errorf("%d files", n)
		}
	})
}

// Without a consent the files wait, as submissions do, and go on when the organisation has given one.
func TestFilesWaitForConsent(t *testing.T) {
	forEachHMRC(t, func(h *hmrc) {
		h.service.Sender = unconsented{h.sender}
		h.must(h.add("one"))
		h.work()
		h.wantStatuses(customs.FileRequested)
		if stage := h.stage(); stage != "WAITING_CONSENT" || len(h.asked) != 0 {
			h.Errorf("stage %q, %d requests", stage, len(h.asked))
		}
		h.service.Sender = h.sender
		h.update(func(tx *store.Tx) error { return tx.RunQueueNow(customs.FormsQueue, 0) })
		h.work()
		h.wantStatuses(customs.FileSent)
		if stage := h.stage(); stage == "WAITING_CONSENT" {
			h.Errorf("stage %q after the consent", stage)
		}
	})
}

// unconsented is HMRC for an organisation whose consent was withdrawn.
type unconsented struct{ *sender }

func (unconsented) RequestForms(context.Context, tenant.ID, []byte, simulator.Request) client.Outcome {
	return client.NoConsent()
}

func (h *hmrc) stage() string {
	h.Helper()
	var added struct{ Stage string }
	h.must(h.store.View(h.Context(), h.org, func(tx *store.Tx) error {
		f, err := tx.Filing("declaration", declarationID)
		return errors.Join(err, json.Unmarshal(f.Added, &added))
	}))
	return added.Stage
}

// A notification about an upload that no file has is kept, and applied once a file has it.
func TestUnknownUpload(t *testing.T) {
	forEachHMRC(t, func(h *hmrc) {
		h.notify(firstForm, "SUCCESS")
		if n := h.unmatched(); n != 1 {
			h.Errorf("%d messages are unmatched", n)
		}
		h.must(h.add("one"))
		h.work()
		h.advance(2 * time.Second)
		h.work()
		h.wantStatuses(customs.FileReceived)
	})
}
