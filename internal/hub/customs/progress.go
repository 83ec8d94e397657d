package customs

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// Stages of a declaration at customs. They say more than the status, which has six values only.
const (
	stageRegistered      = "REGISTERED"
	stageAccepted        = "ACCEPTED"
	stageControlled      = "CONTROLLED"
	stageDocuments       = "DOCUMENTS_REQUIRED"
	stageCorrected       = "CORRECTED"
	stageReleased        = "RELEASED"
	stageCleared         = "CLEARED"
	stageWithdrawn       = "WITHDRAWN"
	stageTaxed           = "TAXED"
	stagePaymentShort    = "PAYMENT_SHORT"
	stageExited          = "EXITED"
	stageHandledManually = "HANDLED_MANUALLY"
	stageExitUnproven    = "EXIT_UNPROVEN"
	stageQueried         = "QUERIED"
	stageDetained        = "DETAINED"
	stageRejected        = "REJECTED"
	stageExpired         = "EXPIRED"
)

// effect is the meaning of a message for the stage and the demands.
type effect struct {
	stage  string
	early  bool     // the stage does not replace a later one: CDS repeats the message, or sends it late
	raises string   // kind of demand
	closes []string // kinds of demands; closesAll for all
}

// closesAll ends every demand: nothing is left to be done with the declaration.
var closesAll = []string{"*"}

// controls are the demands that end when customs releases the goods.
var controls = []string{DemandControl, DemandDocuments, DemandQuery, DemandSeizure}

// effects are the effects by function code. Source: HMRC, CDS end-to-end service guide, notifications.
var effects = map[string]effect{
	notification.DMSRCV: {stage: stageRegistered, early: true, raises: DemandPresentation},
	notification.DMSACC: {stage: stageAccepted, early: true, raises: DemandCredibility, closes: []string{DemandPresentation}},
	notification.DMSTAX: {stage: stageTaxed, early: true},
	notification.DMSCTL: {stage: stageControlled, raises: DemandControl},
	notification.DMSDOC: {stage: stageDocuments, raises: DemandDocuments},
	notification.DMSRES: {stage: stageCorrected, raises: DemandCorrection},
	notification.DMSROG: {stage: stageReleased, closes: controls},
	notification.DMSCLE: {stage: stageCleared, closes: append(slices.Clone(controls), DemandCredibility, DemandPayment)},
	notification.DMSINV: {stage: stageWithdrawn, closes: closesAll},
	notification.DMSCPI: {stage: stagePaymentShort, raises: DemandPayment},
	notification.DMSCPR: {stage: stagePaymentShort, raises: DemandPayment},
	notification.DMSEOG: {stage: stageExited, closes: []string{DemandExitEvidence}},
	notification.DMSEXT: {stage: stageHandledManually},
	notification.DMSGER: {stage: stageExitUnproven, raises: DemandExitEvidence},
	notification.DMSQRY: {stage: stageQueried, raises: DemandQuery},
	notification.DMSDET: {stage: stageDetained, raises: DemandSeizure},
}

// sequence is the order in which CDS sends messages that it issued in the same second.
var sequence = []string{
	notification.DMSRCV, notification.DMSACC, notification.DMSTAX, notification.DMSRES, notification.DMSEXT, notification.DMSCTL, notification.DMSDOC,
	notification.DMSQRY, notification.DMSDET, notification.DMSCPI, notification.DMSCPR, notification.DMSROG, notification.DMSCLE, notification.DMSEOG,
	notification.DMSGER, notification.DMSINV, notification.DMSREJ,
}

// inSequence sorts messages by their time of issue, and within a second by the order of CDS.
func inSequence(messages []Message) []Message {
	sorted := byIssue(messages)
	sorting.Stable(sorted, func(a, b Message) int {
		if c := a.Notification.IssuedAt.Time.Compare(b.Notification.IssuedAt.Time); c != 0 {
			return c
		}
		return slices.Index(sequence, a.Notification.FunctionCode) - slices.Index(sequence, b.Notification.FunctionCode)
	})
	return sorted
}

// effectOf returns the effect of a message; false if it has none. The answers to a request concern the request alone.
func effectOf(m Message, repeated bool, handledIn string) (effect, bool) {
	n := m.Notification
	request := m.Purpose != toSubmit
	switch n.FunctionCode {
	case notification.DMSRCV, notification.DMSREQ:
		if request {
			return effect{}, false
		}
	case notification.DMSREJ:
		foreign := handledIn != "" && m.ConversationID != handledIn
		switch {
		case request && !isCancelledBy(m), repeated && isDuplicate(n):
			return effect{}, false
		case len(n.Errors) == 0:
			return effect{stage: stageWithdrawn, closes: closesAll}, true
		case isInvalidation(n):
			return effect{stage: stageExpired, closes: closesAll}, true
		case foreign:
			return effect{}, false
		}
		return effect{stage: stageRejected, closes: closesAll}, true
	case notification.DMSTAX:
		if n.TaxKind() == notification.Final {
			return effect{stage: stageTaxed, early: true, closes: []string{DemandPayment}}, true
		}
	}
	e, ok := effects[n.FunctionCode]
	return e, ok
}

// isCancelledBy reports whether a rejection in the conversation of a cancellation request ends the declaration.
func isCancelledBy(m Message) bool { return m.Purpose == toCancel && len(m.Notification.Errors) == 0 }

// progress is how far customs is with a declaration, and what it demands.
type progress struct {
	Stage       string
	Demands     []Demand
	Corrections []Correction
}

// progressOf computes stage and demands from all messages about one LRN, whatever the order of their arrival. before holds
// the demands as they were, for what users have done about them; own what the declarant has requested to change. Files may
// answer demands.
func progressOf(messages []Message, repeated, prelodged bool, own ownChanges, before []Demand, files []FileShown) progress {
	var p progress
	handled := handledIn(messages)
	for _, m := range inSequence(messages) {
		e, ok := effectOf(m, repeated, handled)
		if !ok || own.confirms(&m) {
			continue
		}
		if blocking[e.raises] == "" && (!e.early || p.Stage == "" || slices.Contains(earlyStages, p.Stage)) {
			p.Stage = e.stage
		}
		p.close(e.closes, m)
		p.raise(e.raises, m, prelodged)
	}
	p.keepAnswers(before)
	p.answerWith(files)
	if stage := p.demandedStage(); stage != "" {
		p.Stage = stage
	}
	return p
}

// earlyStages may be replaced by the stage of any message.
var earlyStages = []string{stageRegistered, stageAccepted, stageTaxed}

// demandedStage returns the stage of the latest demand that keeps the goods or the declaration from going on.
func (p *progress) demandedStage() (stage string) {
	for _, d := range p.Demands {
		if d.Status != DemandClosed && blocking[d.Kind] != "" {
			stage = blocking[d.Kind]
		}
	}
	return stage
}

// blocking are the stages of demands that hold until the demand is closed.
var blocking = map[string]string{
	DemandControl: stageControlled, DemandDocuments: stageDocuments, DemandPayment: stagePaymentShort,
	DemandExitEvidence: stageExitUnproven, DemandQuery: stageQueried, DemandSeizure: stageDetained,
}
