package main

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/xflops/flame-operator/hook/server"
)

func newServeCommand() *cobra.Command {
	config := server.Config{Version: version}
	var logLevel string
	command := &cobra.Command{
		Use:   "serve",
		Short: "Answers Metacontroller over HTTP (the default command)",
		Long: `Answers POST /sync, /finalize and /customize on --listen. Health and metrics are on
--admin-listen, which needs no credentials. Stops gracefully on SIGTERM.`,
		Example: `  flame-hook serve --listen :8080 --admin-listen :9090
  flame-hook serve --listen :8443 --tls-cert-file tls.crt --tls-key-file tls.key --token-file tokens`,
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			var level slog.Level
			if err := level.UnmarshalText([]byte(logLevel)); err != nil {
				return usageError{fmt.Errorf("--log-level: %w", err)}
			}
			config.Logger = slog.New(slog.NewJSONHandler(c.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
			config.Now = time.Now
			s, err := server.New(config)
			if err != nil {
				return err
			}
			return s.Run(c.Context())
		},
	}
	flags := command.Flags()
	flags.StringVar(&config.Listen, "listen", server.DefaultListen, "address for Metacontroller's calls")
	flags.StringVar(&config.AdminListen, "admin-listen", server.DefaultAdminListen, "address for health and metrics")
	flags.StringVar(&config.TokenFile, "token-file", "", "file with bearer tokens, one a line; callers must send one of them; re-read when it changes")
	flags.StringVar(&config.TLSCertFile, "tls-cert-file", "", "certificate for --listen; re-read when it changes")
	flags.StringVar(&config.TLSKeyFile, "tls-key-file", "", "private key of the certificate")
	flags.StringVar(&config.ClientCAFile, "client-ca-file", "", "callers must have a certificate from one of these CAs")
	flags.DurationVar(&config.DrainDelay, "drain-delay", 5*time.Second, "how long to go on serving, not ready, after SIGTERM")
	flags.DurationVar(&config.ShutdownTimeout, "shutdown-timeout", server.DefaultShutdownTimeout, "how long calls may take to end after that")
	flags.Int64Var(&config.MaxBodyBytes, "max-body-bytes", server.DefaultMaxBodyBytes, "largest request body")
	flags.Int64Var(&config.MaxInFlightBytes, "max-in-flight-bytes", server.DefaultMaxInFlightBytes, "request bodies in work at once, together; one larger body is served alone")
	flags.BoolVar(&config.ETag, "etag", false, "send ETags and answer 304 to If-None-Match")
	flags.BoolVar(&config.PProf, "pprof", false, "serve Go profiles on --admin-listen")
	flags.StringVar(&logLevel, "log-level", "info", "debug, info, warn or error")
	completeFlag(command, "log-level", "debug", "info", "warn", "error")
	return command
}
