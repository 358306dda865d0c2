package server_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var lastSerial atomic.Int64

// authority signs certificates for servers and clients.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         []byte
}

func newAuthority(t *testing.T, name string) authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(lastSerial.Add(1)),
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	certificate, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return authority{certificate, key, encodePEM("CERTIFICATE", der)}
}

func encodePEM(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// issue returns a certificate and its key, both as PEM.
func (a authority) issue(t *testing.T, name string) (certificate, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(lastSerial.Add(1)),
		Subject:      pkix.Name{CommonName: name},
		DNSNames:     []string{name},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &private.PublicKey, a.key)
	require.NoError(t, err)
	encoded, err := x509.MarshalECPrivateKey(private)
	require.NoError(t, err)
	return encodePEM("CERTIFICATE", der), encodePEM("EC PRIVATE KEY", encoded)
}

func (a authority) clientCertificate(t *testing.T, name string) tls.Certificate {
	t.Helper()
	certificate, key := a.issue(t, name)
	pair, err := tls.X509KeyPair(certificate, key)
	require.NoError(t, err)
	return pair
}

func (a authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

// secretVolume is a directory that is updated as the kubelet updates the volume of
// a Secret: all files at once, by the swap of a link.
type secretVolume struct {
	directory string
	version   int
}

func (v *secretVolume) path(name string) string { return filepath.Join(v.directory, name) }

func (v *secretVolume) update(t *testing.T, files map[string][]byte) {
	t.Helper()
	v.version++
	data := filepath.Join(v.directory, fmt.Sprintf("..version-%d", v.version))
	require.NoError(t, os.Mkdir(data, 0o700))
	for name, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(data, name), content, 0o600))
		if v.version == 1 {
			require.NoError(t, os.Symlink(filepath.Join("..data", name), v.path(name)))
		}
	}
	require.NoError(t, os.Symlink(filepath.Base(data), v.path("..data_tmp")))
	require.NoError(t, os.Rename(v.path("..data_tmp"), v.path("..data")))
}

func newSecretVolume(t *testing.T, files map[string][]byte) *secretVolume {
	t.Helper()
	v := &secretVolume{directory: t.TempDir()}
	v.update(t, files)
	return v
}

// certificateFiles are paths of a server's files.
type certificateFiles struct {
	cert, key, ca string
	volume        *secretVolume
}

func writeCertificates(t *testing.T, a authority, name string) certificateFiles {
	t.Helper()
	v := newSecretVolume(t, certificateSecret(t, a, name))
	return certificateFiles{v.path("tls.crt"), v.path("tls.key"), v.path("ca.crt"), v}
}

func certificateSecret(t *testing.T, a authority, name string) map[string][]byte {
	t.Helper()
	certificate, key := a.issue(t, name)
	return map[string][]byte{"tls.crt": certificate, "tls.key": key, "ca.crt": a.pem}
}

func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}
