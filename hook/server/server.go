package server

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/xflops/flame-operator/hook"
)

// Defaults of Config.
const (
	DefaultListen          = ":8080"
	DefaultAdminListen     = ":9090"
	DefaultShutdownTimeout = 20 * time.Second
	// DefaultMaxBodyBytes leaves room for several ConfigMaps of 1 MiB and a thousand
	// pods with their managedFields: Metacontroller sends objects whole.
	DefaultMaxBodyBytes = 64 << 20
	// DefaultMaxInFlightBytes keeps the memory of the process under the limit in the
	// manifests: decoded, a body takes several times its size.
	DefaultMaxInFlightBytes = 32 << 20
)

// rememberedBytes is enough for about 1,000 clusters, and far less than the memory limit
// in the manifests. What a larger fleet does not find remembered is computed again.
const rememberedBytes = 32 << 20

// Config says how to serve. A zero address, timeout or limit means its default;
// without files there is neither authentication nor TLS.
type Config struct {
	// Listen is the address of the hook port, AdminListen that of the admin port.
	Listen, AdminListen string
	// TokenFile holds bearer tokens, one a line. Empty lines and lines that start
	// with # are skipped. With a file, every hook call must carry one of them.
	TokenFile string
	// TLSCertFile and TLSKeyFile, always together, turn on TLS on the hook port.
	TLSCertFile, TLSKeyFile string
	// ClientCAFile makes the hook port refuse clients without a certificate from one
	// of the authorities in it. It needs TLS.
	ClientCAFile string
	// DrainDelay is how long calls are still answered after the end began: the time
	// that Kubernetes needs to stop sending new ones. 0 is none.
	DrainDelay time.Duration
	// ShutdownTimeout is how long calls that are being answered may take after that.
	ShutdownTimeout time.Duration
	// MaxBodyBytes is the largest accepted body; a larger one is answered 413.
	MaxBodyBytes int64
	// MaxInFlightBytes bounds the sum of the bodies of all calls that are being
	// answered; a call beyond it is answered 429. One larger body is accepted alone.
	MaxInFlightBytes int64
	// ETag adds a hash to every answer and answers 304 to a caller that has it.
	ETag bool
	// PProf serves Go's profiles on the admin port.
	PProf bool
	// Logger receives the log; nil discards it.
	Logger *slog.Logger
	// Version is the version of this program, for metrics.
	Version string
	// Now is the clock that answers are computed with; nil is time.Now.
	Now func() time.Time
	// Hooks answer the calls; nil members are those of package hook.
	Hooks Hooks
}

// Hooks are the three functions behind the three routes.
type Hooks struct {
	Sync, Finalize func(*hook.Request, time.Time) (*hook.Response, error)
	Customize      func(*hook.Request) (*hook.CustomizeResponse, error)
}

// Server serves the hooks.
type Server struct {
	config   Config
	timeouts timeouts
	log      *slog.Logger
	metrics  *metrics
	inFlight *inFlight

	tokens      *reloaded[tokens]
	certificate *reloaded[*certificate]
	clientCA    *reloaded[*authorities]

	draining  atomic.Bool
	listening chan struct{}
	addr      atomic.Value
	adminAddr atomic.Value
}

// timeouts protect against clients that send or read slowly. Metacontroller gives
// up on a call after 10 seconds, so a body that takes longer is of no use.
type timeouts struct {
	// read and write count from the end of the header. So write includes reading
	// the body.
	read, write time.Duration
	// idle is how long a connection may be silent, and how long a header may take. It
	// is longer than the 90 seconds after which Go clients close an idle connection.
	// Were it shorter, the server would close connections just as Metacontroller
	// posts on them, and every such call would fail. That goes for new connections
	// too: a Go client opens one for a call, makes the call on another one that has
	// become free meanwhile, and keeps the new one for later. For those net/http knows
	// no limit but the one for headers.
	idle time.Duration
}

var defaultTimeouts = timeouts{
	read:  10 * time.Second,
	write: 20 * time.Second,
	idle:  120 * time.Second,
}

// New returns a Server. It reads the files that config names, so that a wrong one
// is noticed at once.
func New(config Config) (*Server, error) {
	if (config.TLSCertFile == "") != (config.TLSKeyFile == "") {
		return nil, errors.New("TLS needs both a certificate file and a key file")
	}
	if config.ClientCAFile != "" && config.TLSCertFile == "" {
		return nil, errors.New("client certificates need TLS: there is a client CA file and no certificate file")
	}
	if config.MaxBodyBytes < 0 || config.MaxInFlightBytes < 0 || config.ShutdownTimeout < 0 || config.DrainDelay < 0 {
		return nil, errors.New("limits and timeouts can't be negative")
	}
	setDefaults(&config)
	s := &Server{
		config:    config,
		timeouts:  defaultTimeouts,
		log:       config.Logger,
		inFlight:  &inFlight{limit: config.MaxInFlightBytes},
		listening: make(chan struct{}),
	}
	s.metrics = newMetrics(config.Version, s.inFlight)
	if err := s.loadFiles(); err != nil {
		return nil, err
	}
	return s, nil
}

func setDefaults(c *Config) {
	setDefault(&c.Listen, DefaultListen)
	setDefault(&c.AdminListen, DefaultAdminListen)
	setDefault(&c.ShutdownTimeout, DefaultShutdownTimeout)
	setDefault(&c.MaxBodyBytes, DefaultMaxBodyBytes)
	setDefault(&c.MaxInFlightBytes, DefaultMaxInFlightBytes)
	setDefault(&c.Logger, slog.New(slog.DiscardHandler))
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Hooks.Sync == nil {
		c.Hooks.Sync = hook.NewMemo(rememberedBytes).Sync
	}
	if c.Hooks.Finalize == nil {
		c.Hooks.Finalize = hook.Finalize
	}
	if c.Hooks.Customize == nil {
		c.Hooks.Customize = hook.Customize
	}
}

func setDefault[T comparable](value *T, byDefault T) {
	var zero T
	if *value == zero {
		*value = byDefault
	}
}

func (s *Server) loadFiles() error {
	var err error
	if s.config.TokenFile != "" {
		s.tokens, err = load(s.changes("tokens"), parseTokens, s.config.TokenFile)
		if err != nil {
			return fmt.Errorf("token file: %w", err)
		}
	}
	if s.config.TLSCertFile != "" {
		s.certificate, err = load(s.changes("certificate"), parseCertificate, s.config.TLSCertFile, s.config.TLSKeyFile)
		if err != nil {
			return fmt.Errorf("TLS certificate: %w", err)
		}
		s.metrics.certificateExpiry(func() time.Time { return s.certificate.get().notAfter })
	}
	if s.config.ClientCAFile != "" {
		s.clientCA, err = load(s.changes("client CA"), parseAuthorities, s.config.ClientCAFile)
		if err != nil {
			return fmt.Errorf("client CA file: %w", err)
		}
	}
	return nil
}

// Handler is what the hook port serves.
func (s *Server) Handler() http.Handler { return s.hookRoutes() }

// AdminHandler is what the admin port serves.
func (s *Server) AdminHandler() http.Handler { return s.adminRoutes() }
