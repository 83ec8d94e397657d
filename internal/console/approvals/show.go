package approvals

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/print"
)

// maxShown is how many characters of a document a page shows. The whole of it can be downloaded.
const maxShown = 40_000

// approvalView is the data of the page on which a record is approved.
type approvalView struct {
	filing.RecordApproval
	Kind       *filing.Type
	Record     filing.Filing
	Name, Link string
	Path       string
	Prints     bool   // the record can be printed
	Refusal    string // why the user must not approve; empty if the user may
	Facts      []*form.Field
	page.DeclarationSummary
	Size        int
	Shown       string // the beginning of the document
	ApprovedBy  string
	RequestedBy string
	Sending     time.Time
	Approved    time.Time
	Requested   time.Time
}

// Waits reports whether the page offers to ask for approval.
func (v *approvalView) Waits() bool { return v.State == filing.ApprovalWaiting }

// Holds reports whether a second person has approved exactly this.
func (v *approvalView) Holds() bool { return v.State == filing.ApprovalHolds }

func (a *Approvals) show(c *page.Context) error {
	k, err := a.kind(c)
	if err != nil {
		return err
	}
	v := approvalView{Kind: k, Path: page.ApprovalOf(k.Kind, c.ID()), Link: c.RecordPath(k.Kind, c.ID()), Prints: print.Of(k.Kind)}
	err = c.View(func(tx page.Tx) error { return a.read(c, tx, k, &v) })
	if err != nil {
		return err
	}
	if err := v.setNames(c); err != nil {
		return err
	}
	return c.Show("approval", "Approval of "+v.Name, &v)
}

// read reads the record and what would be sent of it.
func (a *Approvals) read(c *page.Context, tx page.Tx, k *filing.Type, v *approvalView) (err error) {
	if v.RecordApproval, v.Record, err = a.Filings.ApprovalOf(tx, k, c.ID()); err != nil {
		return err
	}
	v.Name = a.Describer.RecordName(&v.Record)
	if v.Document != nil {
		v.Size, v.Shown = len(*v.Document), beginning(*v.Document)
	}
	if err := a.Filings.MayApprove(tx, c.Call(), k, &v.Record); err != nil {
		f, ok := apierr.As(err)
		if !ok {
			return err
		}
		v.Refusal = f.Message
	}
	if v.DeclarationSummary, err = page.SummaryOf(tx, &v.Record); err != nil || v.Items > 0 {
		return err
	}
	v.Facts = a.forms()[k.Kind].Fill(v.Record.Body).Fields
	return nil
}

// beginning returns the first characters of a document.
func beginning(document string) string {
	if len(document) <= maxShown {
		return document
	}
	end := maxShown
	for document[end]&0xC0 == 0x80 { // within a character
		end--
	}
	return document[:end]
}

// setNames sets the names of the users and the instants.
func (v *approvalView) setNames(c *page.Context) error {
	var ids []string
	for _, id := range []*string{v.RecordApproval.ApprovedBy, v.RecordApproval.RequestedBy} {
		if id != nil {
			ids = append(ids, *id)
		}
	}
	v.Sending, v.Approved, v.Requested = instant(v.SendingTime), instant(v.ApprovedAt), instant(v.RequestedAt)
	if ids == nil {
		return nil
	}
	names, err := c.MemberNames(ids...)
	v.ApprovedBy, v.RequestedBy = names[text(v.RecordApproval.ApprovedBy)], names[text(v.RecordApproval.RequestedBy)]
	return err
}

func text(t *string) string {
	if t == nil {
		return ""
	}
	return *t
}

// instant returns an instant of the API; zero for null.
func instant(t *string) time.Time {
	at, _ := time.Parse(time.RFC3339, text(t))
	return at
}

// listView is the data of the page of records that wait for approval.
type listView struct {
	Waiting []waiting
	More    bool
}

// waiting is a record that waits for approval.
type waiting struct {
	Path, Name, Kind, By string
	Since                time.Time
}

// maxWaiting is how many waiting records the page lists, those that wait the longest of each kind.
const maxWaiting = 200

func (a *Approvals) list(c *page.Context) error {
	var v listView
	var by []string
	err := c.View(func(tx page.Tx) error {
		all, err := tx.Waiting("", maxWaiting+1)
		if err != nil {
			return err
		}
		if v.More = len(all) > maxWaiting; v.More {
			all = all[:maxWaiting]
		}
		var ids []string
		for i := range all {
			ids = append(ids, all[i].RecordID)
		}
		records, err := tx.Briefs(ids)
		for i := range all {
			f, found := records[all[i].RecordID]
			k := a.kinds[all[i].Kind]
			if !found || k == nil {
				continue
			}
			by = append(by, all[i].AskedBy)
			v.Waiting = append(v.Waiting, waiting{page.ApprovalOf(f.Kind, f.ID), a.Describer.RecordName(&f), page.Capitalize(k.Singular), "", all[i].AskedAt})
		}
		return err
	})
	if err != nil {
		return err
	}
	names, err := c.MemberNames(by...)
	if err != nil {
		return err
	}
	for i := range v.Waiting {
		v.Waiting[i].By = names[by[i]]
	}
	return c.Show("approvals", "Approvals", v)
}
