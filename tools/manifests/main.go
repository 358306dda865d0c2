// Command manifests writes what is generated of the manifests: the version in the
// base and install.yaml. It also builds every component on the base, so that none
// can break unnoticed. With -with it prints the base with some components instead.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func main() {
	root := flag.String("root", ".", "directory of the repository")
	crd := flag.String("crd", "", "file with the CRD, when it is not the repository's")
	version := flag.String("version", "", "version of the image, without v")
	out := flag.String("out", ".", "directory to write to, laid out like the repository")
	with := flag.String("with", "", "components, separated by commas: print the base with them and write nothing")
	flag.Parse()
	if *with != "" {
		if err := show(*root, strings.Split(*with, ",")); err != nil {
			fmt.Fprintln(os.Stderr, "manifests:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*root, *crd, *version, *out); err != nil {
		fmt.Fprintln(os.Stderr, "manifests:", err)
		os.Exit(1)
	}
}

func show(root string, components []string) error {
	tree, err := readTree(root)
	if err != nil {
		return err
	}
	resources, err := buildWith(tree, components...)
	if err != nil {
		return err
	}
	text, err := resources.AsYaml()
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}

func run(root, crd, version, out string) error {
	tree, err := readTree(root)
	if err != nil {
		return err
	}
	if crd != "" {
		text, err := os.ReadFile(crd)
		if err != nil {
			return err
		}
		if err := tree.WriteFile(crdPath, text); err != nil {
			return err
		}
	}
	generated, err := stamp(tree, version)
	if err != nil {
		return err
	}
	install, err := buildInstall(tree)
	if err != nil {
		return err
	}
	if err := checkComponents(tree); err != nil {
		return err
	}
	if err := tree.WriteFile(installPath, install); err != nil {
		return err
	}
	for _, name := range append(generated, installPath) {
		if err := writeFile(tree, name, filepath.Join(out, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(tree filesys.FileSystem, name, target string) error {
	text, err := tree.ReadFile(name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	return os.WriteFile(target, text, 0o644)
}
