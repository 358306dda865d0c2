package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Prints the version, and the Flame version that is run by default",
		Example:           "  flame-hook version",
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(c.OutOrStdout(), "flame-hook %s (%s, default Flame version %s)\n", version, runtime.Version(), v1alpha1.DefaultVersion)
			return err
		},
	}
}
