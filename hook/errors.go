package hook

// HTTP statuses, as in RFC 9110 and RFC 6585; written out, so that what is pure
// imports no network package.
const (
	statusBadRequest          = 400
	statusTooManyRequests     = 429
	statusInternalServerError = 500
)

// Error is a refusal to answer: Metacontroller then changes nothing. Its text
// lands in Events, so it is short, the same for the same request, and free of
// anything that could be secret.
type Error struct {
	// Status is the HTTP status: 400 for a bad request, 429 for "ask again after
	// RetryAfterSeconds", 500 when no safe answer exists.
	Status int
	// RetryAfterSeconds is set with status 429 and at least 1: without it
	// Metacontroller asks again at once, for ever.
	RetryAfterSeconds int
	// Message says what is wrong and what to do.
	Message string
	// Guard is true when the guard refused an answer: a fault of this program.
	Guard bool
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func badRequest(message string) error {
	return &Error{Status: statusBadRequest, Message: message}
}

func askAgain(message string) error {
	return &Error{Status: statusTooManyRequests, RetryAfterSeconds: 1, Message: message}
}

func noSafeAnswer(message string) error {
	return &Error{Status: statusInternalServerError, Message: message}
}
