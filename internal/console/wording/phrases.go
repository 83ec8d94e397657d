package wording

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

// exportPrefix begins the types of the exports of tables: what follows is their kind,
// in the plural.
const exportPrefix = "export."

// service is who did what neither a user nor an authority did.
const service = "the service"

// authorities are who it is that moves the records of a Hub, where it is not a user.
var authorities = map[string]string{"customs": "customs", "tax": "HMRC"}

// nouns are what is no kind of filing and has no name of its own.
var nouns = map[string]string{
	"organisation":   "the organisation",
	"invitation":     "an invitation",
	"feed":           "the calendar feed",
	"tax.connection": "the connection to HMRC",
	"audit":          "the audit trail",
	"console":        "in the console",
}

// verbs say what happened to a record of whatever kind, by the past tense in the type
// of the event.
var verbs = map[string]string{ // #nosec G101 -- words
	"created":                "{who} made {it}",
	"recorded":               "{who} recorded {it}",
	"opened":                 "{who} opened {it}",
	"amended":                "{who} corrected {it}",
	"updated":                "{who} changed {it}",
	"submitted":              "{who} submitted {it}",
	"accepted":               "{who} accepted {it}",
	"rejected":               "{who} rejected {it}",
	"cleared":                "{who} cleared {it}",
	"cancelled":              "{who} cancelled {it}",
	"cancellation_requested": "{who} asked for the cancellation of {it}",
	"received":               "{who} confirmed the receipt of {it}",
	"tax_assessed":           "{who} assessed the duty and VAT of {it}",
	"noted":                  "{who} sent a notice about {it}",
	"overdue":                "{it} fell overdue",
	"expired":                "{it} expired",
	"fulfilled":              "{it} was fulfilled",
	"learnt":                 "{who} told of {it}",
	"refreshed":              "{who} drew {it} up anew",
	"deleted":                "{who} deleted {it}",
	"reviewed":               "{who} had {it} reviewed",
	"classified":             "{who} had {it} classified",
	"not-taken":              "HMRC did not take {it}",
	"consent-begun":          "{who} began to connect the organisation to HMRC",
	"consent-declined":       "{who} gave no consent at HMRC",
	"connected":              "{who} connected the organisation to HMRC",
	"disconnected":           "{who} ended the connection to HMRC",
	"lapsed":                 "the connection to HMRC lapsed",
	"paused":                 "{who} paused {it}",
	"resumed":                "{who} resumed {it}",
	"secret_rotated":         "{who} renewed the secret of {it}",
	"tested":                 "{who} tested {it}",
	"resent":                 "{who} sent a delivery to {it} again",
}

// itself says what comes of itself, though the service writes it down: the calendar opens
// a VAT period, and HMRC only tells of it.
var itself = map[string]string{"opened": "{it} opened"}

// wholes say what happened by the whole type of the event.
var wholes = map[string]string{
	access.OrganisationCreated: "{who} founded the organisation {name}",
	access.OrganisationUpdated: "{who} changed the organisation's settings",
	closure.Closed:             "{who} closed the organisation; its data is deleted 30 days later",
	closure.Restored:           "{who} restored the organisation",
	closure.Deleted:            "the data of the closed organisation was deleted",
	portability.Requested:      "{who} asked for an export of everything",
	portability.Fetched:        "{who} fetched an export of everything",
	portability.Cancelled:      "{who} cancelled an export of everything",
	access.PolicyChanged:       "{who} changed the organisation's security policy",
	access.SessionEnded:        "A session of {it} was ended",
	access.IdentityLinked:      "{who} linked an identity of single sign-on",
	access.ProviderSaved:       "{who} saved the identity provider {name}",
	access.ProviderRemoved:     "{who} removed an identity provider",
	access.DomainAdded:         "{who} added a mail domain",
	access.DomainVerified:      "A mail domain was verified",
	access.DomainLost:          "A mail domain lost its DNS record and is no longer verified",
	access.DomainRemoved:       "{who} removed a mail domain",
	access.SCIMTokenCreated:    "{who} made a new SCIM token",
	access.SCIMSettingsSaved:   "{who} changed the roles of groups from SCIM",
	access.UserProvisioned:     "SCIM changed {it}",
	access.GroupSaved:          "SCIM saved the group {name}",
	access.GroupRemoved:        "SCIM removed a group",
	access.UserAdded:           "{who} let {it} in as {role}",
	access.UserRemoved:         "{who} removed {it}",
	access.UserErased:          "the personal data of {it} was erased",
	access.RoleChanged:         "{who} changed the role of {it}",
	access.PasswordChanged:     "{who} set a new password for {it}",
	access.SignedIn:            "{who} signed in by {by}",
	access.SignInRefused:       "somebody failed to sign in as {it}",
	access.SignedOut:           "{who} signed out",
	access.Reauthenticated:     "{who} confirmed who they are by {by}",
	access.ResetLinkMade:       "{who} made a link for {it} to set a new password",
	access.FactorAdded:         "{who} added the second factor {name}",
	access.FactorRenamed:       "{who} renamed a second factor to {name}",
	access.FactorRemoved:       "{who} removed a second factor",
	access.FactorsReset:        "the operator removed the second factors of {it}",
	access.RecoveryCodesMade:   "{who} made new recovery codes",
	access.RecoveryCodeUsed:    "{who} used a recovery code",
	access.InvitationCreated:   "{who} invited {email} as {role}",
	access.InvitationWithdrawn: "{who} withdrew an invitation",
	access.HubEnabled:          "{who} enabled {it}",
	access.HubDisabled:         "{who} disabled {it}",
	access.FeedCreated:         "{who} made a calendar feed",
	access.FeedRevoked:         "{who} revoked the calendar feed",
	access.KeyRotated:          "{who} renewed the secret of {it}",
	access.KeyRevoked:          "{who} revoked {it}",

	audit.Exported:    "{who} exported {count} events of the audit trail",
	audit.Verified:    "{who} had the audit trail verified: {events} events, unbroken",
	evidence.Exported: "{who} took the evidence pack of a record",
	audit.FoundBroken: "{who} had the audit trail verified, and it is broken: {problem}",
	audit.CutOff:      "the service removed {count} events that had been kept long enough",

	retention.RecordsRemoved: "the service removed {count} records that had been kept long enough",
	retention.HoldSet:        "{who} put {it} under a legal hold",
	retention.HoldLifted:     "{who} lifted the legal hold from {it}",
}

// selves say what users did to themselves.
var selves = map[string]string{
	access.UserAdded:       "{who} joined as {role}",
	access.UserRemoved:     "{who} left the organisation",
	access.PasswordChanged: "{who} set a new password",
}
