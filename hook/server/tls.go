package server

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"time"
)

// certificate is what the hook port shows to its clients.
type certificate struct {
	tls.Certificate
	notAfter time.Time
}

func parseCertificate(contents [][]byte) (*certificate, error) {
	pair, err := tls.X509KeyPair(contents[0], contents[1])
	if err != nil {
		return nil, err
	}
	return &certificate{Certificate: pair, notAfter: pair.Leaf.NotAfter}, nil
}

// authorities are the roots of the client certificates that are accepted.
type authorities struct {
	pool  *x509.CertPool
	known map[[sha256.Size]byte]bool
}

func parseAuthorities(contents [][]byte) (*authorities, error) {
	a := &authorities{pool: x509.NewCertPool(), known: map[[sha256.Size]byte]bool{}}
	for rest := contents[0]; ; {
		var block *pem.Block
		block, rest = pem.Decode(rest)
		if block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		root, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("a certificate in it can't be read: %w", err)
		}
		a.pool.AddCert(root)
		a.known[sha256.Sum256(root.Raw)] = true
	}
	if len(a.known) == 0 {
		return nil, errors.New("there is no certificate in it")
	}
	return a, nil
}

// vouchFor says whether a connection's client is still trusted: connections live
// longer than a rotation takes.
func (a *authorities) vouchFor(connection *tls.ConnectionState) bool {
	if connection == nil {
		return false
	}
	for _, chain := range connection.VerifiedChains {
		if a.known[sha256.Sum256(chain[len(chain)-1].Raw)] {
			return true
		}
	}
	return false
}

// tlsConfig uses what the files hold at the time of each handshake.
func (s *Server) tlsConfig() *tls.Config {
	config := &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"},
		// A resumed session would skip the check of the client's certificate.
		SessionTicketsDisabled: true,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return &s.certificate.get().Certificate, nil
		},
	}
	if s.clientCA == nil {
		return config
	}
	mutual := config.Clone()
	mutual.ClientAuth = tls.RequireAndVerifyClientCert
	config.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
		current := mutual.Clone()
		current.ClientCAs = s.clientCA.get().pool
		return current, nil
	}
	return config
}
