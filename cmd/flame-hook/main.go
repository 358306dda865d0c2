// Command flame-hook answers Metacontroller about FlameClusters, and shows, checks
// and rewrites FlameClusters without any cluster.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// version is stamped in by the build.
var version = "development"

// Exit codes, part of the command's contract.
const (
	exitOK      = 0
	exitInvalid = 1 // the input has errors, or the service failed
	exitUsage   = 2 // flags or arguments are wrong
)

// invalidInput is an error that was printed already.
type invalidInput struct{ error }

var errInvalid = invalidInput{errors.New("invalid FlameClusters")}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run executes the command line and returns the exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	command := newCommand()
	command.SetArgs(args)
	command.SetIn(in)
	command.SetOut(out)
	command.SetErr(errOut)
	addCompletion(command)
	called, err := command.ExecuteContextC(ctx)
	var invalid invalidInput
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &invalid):
		return exitInvalid
	case errors.As(err, &usage):
		_, _ = fmt.Fprintf(errOut, "flame-hook: %v\nRun '%s --help' for usage.\n", err, called.CommandPath())
		return exitUsage
	default:
		_, _ = fmt.Fprintf(errOut, "flame-hook: %v\n", err)
		return exitInvalid
	}
}

// usageError is a wrong flag or argument.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func newCommand() *cobra.Command {
	serve := newServeCommand()
	command := &cobra.Command{
		Use:   "flame-hook",
		Short: "Runs Flame clusters on Kubernetes, as a hook of Metacontroller",
		Long: `flame-hook answers Metacontroller about FlameClusters: given what is wanted and
what exists, it says which objects there should be and what the status is.
Without a command it serves.

Exit codes: 0 all is well, 1 the input has errors or the service failed, 2 wrong
flags or arguments.`,
		Example: `  flame-hook serve --listen :8080
  flame-hook render -f cluster.yaml -o tree`,
		Args:          noArguments,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          serve.RunE,
		// Within so many letters a wrong command gets a suggestion.
		SuggestionsMinimumDistance: 2,
		ValidArgsFunction:          cobra.NoFileCompletions,
	}
	command.Flags().AddFlagSet(serve.Flags())
	command.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	command.AddCommand(serve, newRenderCommand(), newValidateCommand(), newMigrateCommand(), newReplayCommand(), newVersionCommand())
	return command
}

// addCompletion adds cobra's own command, which has no example, and gives it one. It
// writes to what the root's output is by then.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, command := range root.Commands() {
		if command.Name() == "completion" {
			command.Example = `  source <(flame-hook completion bash)
  source <(flame-hook completion zsh)
  flame-hook completion fish | source`
		}
	}
}

func noArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("unexpected argument %q", args[0])
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		text += fmt.Sprintf("; did you mean %q?", near[0])
	}
	return usageError{errors.New(text)}
}

// addOutputFlag adds the flag -o, whose first format is the default.
func addOutputFlag(command *cobra.Command, output *string, formats ...string) {
	last := len(formats) - 1
	command.Flags().StringVarP(output, "output", "o", formats[0], strings.Join(formats[:last], ", ")+" or "+formats[last])
	completeFlag(command, "output", formats...)
}

// completeFlag lets the shell offer the values of a flag.
func completeFlag(command *cobra.Command, flag string, values ...string) {
	if err := command.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // there is no such flag
	}
}
