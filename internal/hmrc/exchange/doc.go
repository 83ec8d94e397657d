// Package exchange is the one way to authorities besides customs and VAT: it sends what happens to the records of a Hub to an
// authority, keeps every message in both directions as it is, and changes the records by what the authority answers.
//
// An authority is a value, an [Authority]: pure functions that write messages and read answers, and a [Channel] for each of
// its systems that calls it. The Hub's package stays without a network and without a database.
//
// A message goes out in three steps: it is stored with its exact bytes and a job in the transaction of the request, the job
// sends it outside of any transaction, and the outcome is stored with what follows from it. What the authority sends is stored
// as it is when it is fetched; a job then computes the record from all of its messages, whatever order they came in. A message
// about no known record is kept until a person claims it for one.
package exchange
