package wording

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/records/comment"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/webhook/portal"
)

// exportPrefix is the prefix of the event types of table exports; the plural of the kind follows.
const exportPrefix = "export."

// service is the actor of events that neither a user nor an authority caused.
const service = "the service"

// authorities are the actors of system events by Hub.
var authorities = map[string]string{"customs": "customs", "tax": "HMRC"}

// nouns are the names of resources that are not filings and have no name of their own.
var nouns = map[string]string{
	"organisation":   "the organisation",
	"invitation":     "an invitation",
	"feed":           "the calendar feed",
	"tax.connection": "the connection to HMRC",
	"audit":          "the audit trail",
	"console":        "in the console",
}

// verbs are phrases for records of all kinds, by the last part of the event type.
var verbs = map[string]string{ // #nosec G101 -- words
	"created":                "{who} created {it}",
	"recorded":               "{who} recorded {it}",
	"opened":                 "{who} opened {it}",
	"not-finalisable":        "HMRC found that {it} is not complete",
	"checked-in":             "{it} was checked in",
	"embarked":               "{it} embarked",
	"completed":              "{it} was completed",
	"intervened":             "customs instructed not to load the goods of {it}",
	"message-claimed":        "{who} claimed a message for {it}",
	"amended":                "{who} amended {it}",
	"updated":                "{who} changed {it}",
	"archived":               "{who} archived {it}",
	"unarchived":             "{who} took {it} out of the archive",
	"submitted":              "{who} submitted {it}",
	"accepted":               "{who} accepted {it}",
	"rejected":               "{who} rejected {it}",
	"cleared":                "{who} cleared {it}",
	"cancelled":              "{who} cancelled {it}",
	"cancellation_requested": "{who} requested the cancellation of {it}",
	"amendment_requested":    "{who} requested an amendment of {it}",
	"amendment_granted":      "{who} granted an amendment of {it}",
	"amendment_denied":       "{who} denied an amendment of {it}",
	"presentation_requested": "{who} presented the goods of {it} to customs",
	"movement_requested":     "{who} reported a movement of {it}",
	"movement_accepted":      "{who} accepted a movement of {it}",
	"movement_refused":       "{who} refused a movement of {it}",
	"movement_updated":       "{who} reported the status of a movement of {it}",
	"file_added":             "{who} added documents for customs to {it}",
	"source_added":           "{who} added documents that {it} was made from",
	"upload_requested":       "{who} asked customs for upload forms for documents of {it}",
	"file_sent":              "{who} sent a document of {it} to customs",
	"file_received":          "{who} confirmed the receipt of a document of {it}",
	"file_rejected":          "{who} rejected a document of {it}",
	"received":               "{who} confirmed the receipt of {it}",
	"tax_assessed":           "{who} assessed the duty and VAT of {it}",
	"control_raised":         "{who} will examine the goods of {it}",
	"documents_required":     "{who} asked for documents about {it}",
	"query_raised":           "{who} raised a query about {it}",
	"payment_short":          "{who} found that the account does not cover {it}",
	"corrected":              "{who} corrected {it}",
	"released":               "{who} released the goods of {it}",
	"exited":                 "{who} confirmed the exit of the goods of {it}",
	"demand_closed":          "{who} closed a demand about {it}",
	"noted":                  "{who} sent a notice about {it}",
	"overdue":                "{it} became overdue",
	"expired":                "{it} expired",
	"granted":                "{who} gave {it} at HMRC",
	"sent":                   "{it} was sent to customs",
	"returned":               "{it} was not accepted and is a draft again",
	"expiring":               "{it} at HMRC ends soon",
	"revoked":                "HMRC no longer accepts {it}",
	"failed":                 "{it} at HMRC cannot be used any more",
	"removed":                "{who} removed {it} at HMRC",
	"fulfilled":              "{it} was fulfilled",
	"learnt":                 "{who} announced {it}",
	"refreshed":              "{who} recalculated {it}",
	"deleted":                "{who} deleted {it}",
	"approval_requested":     "{who} asked for the approval of {it}",
	"approved":               "{who} approved the submission of {it}",
	"approval_withdrawn":     "{who} took back the approval of {it}",
	"reviewed":               "{who} reviewed {it}",
	"draft_made":             "a draft was made from {it}",
	"draft_failed":           "no draft could be made from {it}",
	"assigned":               "{who} changed who {it} is assigned to",
	"secrets_sealed":         "access codes of {it} were encrypted",
	"classified":             "{who} classified {it}",
	"changed":                "a new edition of the tariff changes measures on {it}",
	"not-taken":              "HMRC did not accept {it}",
	"consent-begun":          "{who} started to connect the organisation to HMRC",
	"consent-declined":       "{who} did not give consent at HMRC",
	"connected":              "{who} connected the organisation to HMRC",
	"disconnected":           "{who} ended the connection to HMRC",
	"lapsed":                 "the connection to HMRC expired",
	"paused":                 "{who} paused {it}",
	"resumed":                "{who} resumed {it}",
	"secret_rotated":         "{who} rotated the secret of {it}",
	"failing":                "{it} keeps failing",
	"given_up":               "a delivery to {it} was given up",
	"tested":                 "{who} tested {it}",
	"resent":                 "{who} resent a delivery to {it}",
	"recovered":              "{who} sent failed deliveries to {it} again",
}

// systemPhrases replace verbs for system events without an actor: VAT periods open by the calendar.
var systemPhrases = map[string]string{"opened": "{it} opened"}

// eventPhrases are phrases by the whole event type.
var eventPhrases = map[string]string{
	access.OrganisationCreated: "{who} created the organisation {name}",
	access.OrganisationUpdated: "{who} changed the organisation's settings",
	closure.Closed:             "{who} closed the organisation; its data is deleted 30 days later",
	closure.Restored:           "{who} restored the organisation",
	closure.Emptied:            "{who} emptied the test organisation",
	closure.Deleted:            "the data of the closed organisation was deleted",
	portability.Requested:      "{who} requested an export of all data",
	portability.Fetched:        "{who} downloaded an export of all data",
	portability.Cancelled:      "{who} deleted an export of all data",
	comment.Created:            "{who} commented on a record",
	comment.Deleted:            "{who} deleted a comment on a record",
	batch.CreatedEvent:         "{who} sent a batch of operations",
	batch.CancelledEvent:       "{who} cancelled a batch of operations",
	batch.FinishedEvent:        "a batch of operations ended",
	whatif.UploadedEvent:       "{who} uploaded lines for what-ifs",
	whatif.CreatedEvent:        "{who} started a what-if",
	whatif.CancelledEvent:      "{who} cancelled a what-if",
	whatif.FinishedEvent:       "a what-if ended",
	access.PolicyChanged:       "{who} changed the organisation's security policy",
	access.SessionEnded:        "a session of {it} was ended",
	access.IdentityLinked:      "{who} linked a single sign-on identity",
	access.ProviderSaved:       "{who} saved the identity provider {name}",
	access.ProviderRemoved:     "{who} removed an identity provider",
	access.DomainAdded:         "{who} added an email domain",
	access.DomainVerified:      "an email domain was verified",
	access.DomainLost:          "an email domain lost its DNS record and is no longer verified",
	access.DomainRemoved:       "{who} removed an email domain",
	access.SCIMTokenCreated:    "{who} created a SCIM token",
	access.SCIMSettingsSaved:   "{who} changed the roles of SCIM groups",
	access.UserProvisioned:     "SCIM changed {it}",
	access.GroupSaved:          "SCIM saved the group {name}",
	access.GroupRemoved:        "SCIM removed a group",
	access.UserAdded:           "{who} added {it} as {role}",
	access.UserRemoved:         "{who} removed {it}",
	access.UserErased:          "the personal data of {it} was erased",
	access.RoleChanged:         "{who} changed the role of {it}",
	access.PasswordChanged:     "{who} set a new password for {it}",
	access.SignedIn:            "{who} signed in with {by}",
	access.SignInRefused:       "an attempt to sign in as {it} failed",
	access.SignedOut:           "{who} signed out",
	access.Reauthenticated:     "{who} confirmed their identity with {by}",
	access.ResetLinkMade:       "{who} created a password reset link for {it}",
	access.FactorAdded:         "{who} added the second factor {name}",
	access.FactorRenamed:       "{who} renamed a second factor to {name}",
	access.FactorRemoved:       "{who} removed a second factor",
	access.FactorsReset:        "the operator removed the second factors of {it}",
	access.RecoveryCodesMade:   "{who} created new recovery codes",
	access.RecoveryCodeUsed:    "{who} used a recovery code",
	access.InvitationCreated:   "{who} invited {email} as {role}",
	access.InvitationWithdrawn: "{who} withdrew an invitation",
	access.HubEnabled:          "{who} enabled {it}",
	access.HubDisabled:         "{who} disabled {it}",
	access.FeedCreated:         "{who} created a calendar feed",
	access.FeedRevoked:         "{who} revoked the calendar feed",
	portal.LinkCreated:         "{who} made a link to the webhook portal",
	portal.LinkRevoked:         "{who} revoked a link to the webhook portal",
	access.TestClockSet:        "{who} set the test clock",
	access.SandboxClaimed:      "{who} claimed the sandbox",
	access.KeyTransferred:      "{who} took over the key {it}",
	access.TestClockReset:      "{who} returned the test organisation to real time",
	access.KeyRotated:          "{who} rotated the secret of {it}",
	access.KeyRevoked:          "{who} revoked {it}",

	audit.Exported:    "{who} exported {count} events of the audit trail",
	audit.Verified:    "{who} verified the audit trail: {events} events, unbroken",
	evidence.Exported: "{who} downloaded the evidence pack of a record",
	audit.FoundBroken: "{who} verified the audit trail, and it is broken: {problem}",
	audit.Truncated:   "the service removed {count} events after the retention period",

	retention.RecordsRemoved: "the service removed {count} records after the retention period",
	retention.HoldSet:        "{who} set a legal hold on {it}",
	retention.HoldLifted:     "{who} lifted the legal hold on {it}",
}

// ownPhrases are phrases of events whose record is the acting user.
var ownPhrases = map[string]string{
	access.UserAdded:       "{who} joined as {role}",
	access.UserRemoved:     "{who} left the organisation",
	access.PasswordChanged: "{who} set a new password",
}
