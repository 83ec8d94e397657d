// Package life says what became of an excise movement from the messages that HMRC sent about it. HMRC gives no status: it follows from the
// messages, which may arrive in any order and more than once. The same set of messages always gives the same life.
//
// A movement's state is one of the specification's, which the record has. Its stage is the name that HMRC's own service would show; which message
// leads to which stage is inferred from the messages and HMRC's guides (hmrc/emcs-tfe-frontend, 10 March 2026; list TC50 of
// hmrc/excise-movement-control-system-api-tis, 2 February 2026), because the service that computes it is not public.
package life
