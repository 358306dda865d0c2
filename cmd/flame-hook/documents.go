package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook"
)

// document is one FlameCluster in a file. Those of a List have the same number.
type document struct {
	file   string
	number int // counted from 1
	parent hook.Parent
}

// manifestExtensions are what the shell offers as input.
var manifestExtensions = []string{"yaml", "yml", "json"}

// addFiles lets the command take its input from -f and from its arguments, as the
// shell makes them of -f *.yaml.
func addFiles(command *cobra.Command, files *[]string) {
	command.Flags().StringSliceVarP(files, "filename", "f", nil, "file with FlameClusters, or - for the standard input; may be repeated")
	if err := command.MarkFlagFilename("filename", manifestExtensions...); err != nil {
		panic(err) // there is no such flag
	}
	command.Args = cobra.ArbitraryArgs
	command.ValidArgsFunction = cobra.FixedCompletions(manifestExtensions, cobra.ShellCompDirectiveFilterFileExt)
}

// place says where a message belongs.
func (d document) place() string {
	return placeOf(d.file, d.number, d.parent.Metadata.Namespace, d.parent.Metadata.Name)
}

func placeOf(file string, number int, namespace, name string) string {
	return fmt.Sprintf("%s, document %d (%s/%s)", file, number, namespace, name)
}

// The input is not what a command can work on.
var (
	errNoInput        = usageError{errors.New("no input: give a file with -f, or -f - for the standard input")}
	errNoFlameCluster = fmt.Errorf("no FlameCluster in the input: one has apiVersion: %s and kind: %s", v1alpha1.GroupVersion, v1alpha1.Kind)
)

// readDocuments reads the FlameClusters of all files; "-" is the standard input.
// Objects of other kinds are passed over.
func readDocuments(files []string, in io.Reader) ([]document, error) {
	if len(files) == 0 {
		return nil, errNoInput
	}
	var documents []document
	for _, file := range files {
		raw, err := readFile(file, in)
		if err != nil {
			return nil, err
		}
		found, err := splitDocuments(file, raw)
		if err != nil {
			return nil, err
		}
		documents = append(documents, found...)
	}
	if len(documents) == 0 {
		return nil, errNoFlameCluster
	}
	return documents, nil
}

func readFile(file string, in io.Reader) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(in)
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s: name one that exists, or - for the standard input", file)
	case err == nil && info.IsDir():
		return nil, isDirectory(file)
	}
	return os.ReadFile(file)
}

// isDirectory is the error for a directory in place of a file. It names what the shell
// would make files of.
func isDirectory(directory string) error {
	for _, extension := range manifestExtensions {
		pattern := filepath.Join(directory, "*."+extension)
		if found, err := filepath.Glob(pattern); err == nil && len(found) > 0 {
			return fmt.Errorf("%s is a directory: name files in it, for instance %s", directory, pattern)
		}
	}
	return fmt.Errorf("%s is a directory, and no file in it ends in .%s: name a file", directory, strings.Join(manifestExtensions, ", ."))
}

// inputName is what messages call a file.
func inputName(file string) string {
	if file == "-" {
		return "standard input"
	}
	return file
}

func splitDocuments(file string, raw []byte) (documents []document, err error) {
	file = inputName(file)
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(raw)))
	for number := 1; ; number++ {
		text, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s, document %d: %w", file, number, err)
		}
		asJSON, err := yaml.YAMLToJSONStrict(text)
		if err != nil {
			return nil, fmt.Errorf("%s, document %d: %w", file, number, err)
		}
		if string(bytes.TrimSpace(asJSON)) == "null" {
			number--
			continue
		}
		parents, err := flameClusters(asJSON)
		if err != nil {
			return nil, fmt.Errorf("%s, document %d: %w", file, number, err)
		}
		for _, parent := range parents {
			documents = append(documents, document{file: file, number: number, parent: parent})
		}
	}
}

// flameClusters returns the FlameCluster that an object is, or those in a List, which
// is what kubectl get prints of several objects.
func flameClusters(object []byte) ([]hook.Parent, error) {
	var list struct {
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(object, &list); err != nil {
		return nil, fmt.Errorf("not a Kubernetes object: %w", err)
	}
	objects := list.Items
	if objects == nil {
		objects = []json.RawMessage{object}
	}
	var parents []hook.Parent
	for _, object := range objects {
		var parent hook.Parent
		if err := json.Unmarshal(object, &parent); err != nil {
			return nil, fmt.Errorf("not a Kubernetes object: %w", err)
		}
		if parent.Kind == v1alpha1.Kind && parent.APIVersion != v1alpha1.GroupVersion.String() {
			return nil, fmt.Errorf("apiVersion %q of a %s is not %s", parent.APIVersion, v1alpha1.Kind, v1alpha1.GroupVersion)
		}
		if parent.Kind != v1alpha1.Kind {
			continue
		}
		if parent.Metadata.Namespace == "" {
			parent.Metadata.Namespace = "default"
		}
		parents = append(parents, parent)
	}
	return parents, nil
}
