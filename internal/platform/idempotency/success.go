package idempotency

const statusOK = 200 // of HTTP

// StoreSuccess stores the body of a successful answer to a call with a key, unless there is one already. Without a key
// it does nothing. It is for code without HTTP statuses.
func StoreSuccess(tx Tx, caller, key, digest string, body []byte) error {
	if key == "" {
		return nil
	}
	if _, found, err := tx.Answer(caller, key); err != nil || found {
		return err
	}
	return tx.SaveAnswer(caller, key, Answer{Digest: digest, Status: statusOK, Body: string(body)}, TTL)
}
