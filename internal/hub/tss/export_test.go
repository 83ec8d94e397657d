package tss

// Check is what the definition refuses beyond the schema.
var Check = check
