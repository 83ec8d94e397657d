// Package consent keeps what every authority with user-restricted access needs: the consents that persons have begun,
// the sealed tokens that they end in, and the refreshing of a token, once across all instances.
//
// Consents are kept by organisation, authority and identifier (EORI, ERN, VRN).
package consent
