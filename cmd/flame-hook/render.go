package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/hook/canonical"
	"github.com/xflops/flame-operator/internal/tree"
)

func newRenderCommand() *cobra.Command {
	var files []string
	var output string
	command := &cobra.Command{
		Use:   "render -f FILE...",
		Short: "Prints the objects that a FlameCluster gets, without any cluster",
		Long: `Prints the objects that a FlameCluster gets, ready for kubectl apply. The
executors, which a live cluster gets once its session manager is available, are
included. Warnings and errors go to the standard error.`,
		Example: `  flame-hook render -f cluster.yaml
  flame-hook render -f cluster.yaml -o tree
  kubectl get fc my-flame -o yaml | flame-hook render -f -`,
		RunE: func(c *cobra.Command, args []string) error {
			printer, known := printers[output]
			if !known {
				return usageError{fmt.Errorf("unknown output %q: choose yaml, json or tree", output)}
			}
			documents, err := readDocuments(append(files, args...), c.InOrStdin())
			if err != nil {
				return err
			}
			return render(documents, printer, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	addFiles(command, &files)
	addOutputFlag(command, &output, "yaml", "json", "tree")
	return command
}

// printers print the children of one FlameCluster; the index counts FlameClusters.
var printers = map[string]func(w io.Writer, index int, d document, children []canonical.Object) error{
	"yaml": printYAML,
	"json": printJSON,
	"tree": func(w io.Writer, index int, d document, children []canonical.Object) error {
		if index > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		return tree.Print(w, d.parent.Metadata.Name, children)
	},
}

func render(documents []document, printer func(io.Writer, int, document, []canonical.Object) error, out, errOut io.Writer) error {
	var failed bool
	for i, d := range documents {
		rendering, err := hook.Render(&d.parent)
		if err != nil {
			return fmt.Errorf("%s: %w", d.place(), err)
		}
		for _, warning := range rendering.Warnings {
			_, _ = fmt.Fprintf(errOut, "warning: %s: %s\n", d.place(), warning)
		}
		for _, fault := range rendering.Errors {
			failed = true
			_, _ = fmt.Fprintf(errOut, "error: %s: %v\n", d.place(), fault)
		}
		if len(rendering.Errors) > 0 {
			continue
		}
		if err := printer(out, i, d, rendering.Children); err != nil {
			return err
		}
	}
	if failed {
		return errInvalid
	}
	return nil
}

func printYAML(w io.Writer, _ int, _ document, children []canonical.Object) error {
	for _, child := range children {
		raw, err := child.MarshalJSON()
		if err != nil {
			return err
		}
		text, err := yaml.JSONToYAML(raw)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "---\n%s", text); err != nil {
			return err
		}
	}
	return nil
}

func printJSON(w io.Writer, _ int, _ document, children []canonical.Object) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{"apiVersion": "v1", "kind": "List", "items": children})
}
