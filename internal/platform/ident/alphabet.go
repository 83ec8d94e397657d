package ident

// Alphabets of new identifiers.
const (
	digits       = "0123456789"
	alphanumeric = digits + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	crockford    = digits + "ABCDEFGHJKMNPQRSTVWXYZ" // without I, L, O and U, which can be misread
)
