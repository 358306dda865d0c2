package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/xflops/flame-operator/hook"
)

func newReplayCommand() *cobra.Command {
	var call, at string
	command := &cobra.Command{
		Use:   "replay FILE",
		Short: "Answers a recorded hook request",
		Long: `Answers a recorded hook request as the service would, and prints the answer.
The same request at the same time gives the same answer.`,
		Example: `  flame-hook replay request.json
  flame-hook replay --call customize --at 2026-01-01T00:00:00Z - < request.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{errors.New("want one file with a request, or - for the standard input")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			now := time.Now()
			if at != "" {
				parsed, err := time.Parse(time.RFC3339, at)
				if err != nil {
					return usageError{fmt.Errorf("--at: %w", err)}
				}
				now = parsed
			}
			body, err := readFile(args[0], c.InOrStdin())
			if err != nil {
				return err
			}
			return replay(body, call, now, c.OutOrStdout())
		},
	}
	command.Flags().StringVar(&call, "call", "sync", "sync, finalize or customize")
	completeFlag(command, "call", "sync", "finalize", "customize")
	command.ValidArgsFunction = cobra.FixedCompletions([]string{"json"}, cobra.ShellCompDirectiveFilterFileExt)
	command.Flags().StringVar(&at, "at", "", "the time of the call, as RFC 3339; default now")
	return command
}

func replay(body []byte, call string, now time.Time, out io.Writer) error {
	request, err := hook.DecodeRequest(body)
	if err != nil {
		return err
	}
	var answer interface{ Encode() ([]byte, error) }
	switch call {
	case "sync":
		answer, err = hook.Sync(request, now)
	case "finalize":
		answer, err = hook.Finalize(request, now)
	case "customize":
		answer, err = hook.Customize(request)
	default:
		return usageError{fmt.Errorf("unknown call %q: choose sync, finalize or customize", call)}
	}
	if err != nil {
		return err
	}
	encoded, err := answer.Encode()
	if err != nil {
		return err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, encoded, "", "  "); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, indented.String())
	return err
}
