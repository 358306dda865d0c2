package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/xflops/flame-operator/hook"
)

// verdict is what validate says about one FlameCluster.
type verdict struct {
	File      string   `json:"file"`
	Document  int      `json:"document"`
	Namespace string   `json:"namespace"`
	Name      string   `json:"name"`
	Errors    []fault  `json:"errors"`
	Warnings  []string `json:"warnings"`
}

type fault struct {
	Field   string `json:"field"`
	Type    string `json:"type"`
	Message string `json:"message"`
}

func newValidateCommand() *cobra.Command {
	var files []string
	var output string
	var strict bool
	command := &cobra.Command{
		Use:   "validate -f FILE...",
		Short: "Prints every error and every warning about FlameClusters, without any cluster",
		Long: `Checks FlameClusters against every rule of the API and of their Flame version, and
prints all errors and warnings with file, document and field. Exit code 1 when
there are errors, and with --strict when there are warnings too.`,
		Example: `  flame-hook validate -f cluster.yaml
  flame-hook validate --strict -o json -f clusters/*.yaml`,
		RunE: func(c *cobra.Command, args []string) error {
			if output != "text" && output != "json" {
				return usageError{fmt.Errorf("unknown output %q: choose text or json", output)}
			}
			documents, err := readDocuments(append(files, args...), c.InOrStdin())
			if err != nil {
				return err
			}
			verdicts := judge(documents)
			print := printVerdicts
			if output == "json" {
				print = printVerdictsJSON
			}
			if err := print(c.OutOrStdout(), verdicts); err != nil {
				return err
			}
			return outcome(verdicts, strict)
		},
	}
	addFiles(command, &files)
	addOutputFlag(command, &output, "text", "json")
	command.Flags().BoolVar(&strict, "strict", false, "treat warnings as errors")
	return command
}

func judge(documents []document) []verdict {
	verdicts := make([]verdict, 0, len(documents))
	for _, d := range documents {
		metadata := d.parent.Metadata
		judgement := hook.JudgeStrictly(metadata.Name, d.parent.Spec)
		v := verdict{
			File: d.file, Document: d.number, Namespace: metadata.Namespace, Name: metadata.Name,
			Errors: []fault{}, Warnings: append([]string{}, judgement.Warnings...),
		}
		for _, err := range judgement.Errors {
			v.Errors = append(v.Errors, fault{Field: err.Field, Type: string(err.Type), Message: err.ErrorBody()})
		}
		verdicts = append(verdicts, v)
	}
	return verdicts
}

func printVerdicts(w io.Writer, verdicts []verdict) error {
	for _, v := range verdicts {
		place := placeOf(v.File, v.Document, v.Namespace, v.Name)
		for _, err := range v.Errors {
			if _, err := fmt.Fprintf(w, "error: %s: %s: %s\n", place, err.Field, err.Message); err != nil {
				return err
			}
		}
		for _, warning := range v.Warnings {
			if _, err := fmt.Fprintf(w, "warning: %s: %s\n", place, warning); err != nil {
				return err
			}
		}
		if len(v.Errors) == 0 {
			if _, err := fmt.Fprintf(w, "valid: %s\n", place); err != nil {
				return err
			}
		}
	}
	return nil
}

func printVerdictsJSON(w io.Writer, verdicts []verdict) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(verdicts)
}

func outcome(verdicts []verdict, strict bool) error {
	for _, v := range verdicts {
		if len(v.Errors) > 0 || strict && len(v.Warnings) > 0 {
			return errInvalid
		}
	}
	return nil
}
