package standin

import (
	"bytes"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"reflect"
	"text/template"
	"time"
)

// certificate is what the gen* functions give to templates; sprig's own type has the same fields.
type certificate struct {
	Cert string
	Key  string
}

// certificateFuncs make real certificates, since other functions (buildCustomCert, genSignedCert) parse them. New keys are
// Ed25519 whatever was asked for: those come out of a seed alone, and Go makes RSA keys from true chance only.
func (s *Set) certificateFuncs() template.FuncMap {
	return template.FuncMap{
		"genPrivateKey": s.privateKey,
		"genCA": func(cn string, days int) (certificate, error) {
			return s.issue(request{cn: cn, days: days, ca: true}, s.newKey(), nil)
		},
		"genCAWithKey": func(cn string, days int, key string) (certificate, error) {
			return s.issueFor(request{cn: cn, days: days, ca: true}, key, nil)
		},
		"genSelfSignedCert": func(cn string, ips, dns []any, days int) (certificate, error) {
			return s.issue(request{cn: cn, ips: ips, dns: dns, days: days}, s.newKey(), nil)
		},
		"genSelfSignedCertWithKey": func(cn string, ips, dns []any, days int, key string) (certificate, error) {
			return s.issueFor(request{cn: cn, ips: ips, dns: dns, days: days}, key, nil)
		},
		"genSignedCert": func(cn string, ips, dns []any, days int, ca any) (certificate, error) {
			return s.issue(request{cn: cn, ips: ips, dns: dns, days: days}, s.newKey(), ca)
		},
		"genSignedCertWithKey": func(cn string, ips, dns []any, days int, ca any, key string) (certificate, error) {
			return s.issueFor(request{cn: cn, ips: ips, dns: dns, days: days}, key, ca)
		},
	}
}

func (s *Set) newKey() crypto.Signer { return ed25519.NewKeyFromSeed(s.bytes(ed25519.SeedSize)) }

func (s *Set) privateKey(kind string) (string, error) {
	switch kind {
	case "", "rsa", "dsa", "ecdsa", "ed25519":
		return encodeKey(s.newKey())
	}
	return "Unknown type " + kind, nil
}

type request struct {
	cn       string
	ips, dns []any
	days     int
	ca       bool
}

func (s *Set) issueFor(q request, key string, ca any) (certificate, error) {
	k, err := parseKey(key)
	if err != nil {
		return certificate{}, fmt.Errorf("parsing private key: %w", err)
	}
	return s.issue(q, k, ca)
}

// issue signs a certificate for a key, by a CA or by itself. Signing takes no chance: without a source of it, ECDSA is
// deterministic, and the others always are.
func (s *Set) issue(q request, key crypto.Signer, ca any) (certificate, error) {
	blank, err := s.blank(q)
	if err != nil {
		return certificate{}, err
	}
	parent, signer := blank, key
	if ca != nil {
		if parent, signer, err = parseCA(ca); err != nil {
			return certificate{}, err
		}
	}
	der, err := x509.CreateCertificate(nil, blank, parent, key.Public(), signer)
	if err != nil {
		return certificate{}, fmt.Errorf("create certificate: %w", err)
	}
	encoded, err := encodeKey(key)
	if err != nil {
		return certificate{}, err
	}
	return certificate{Cert: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), Key: encoded}, nil
}

func (s *Set) blank(q request) (*x509.Certificate, error) {
	c := &x509.Certificate{
		SerialNumber: new(big.Int).SetBytes(append([]byte{1}, s.bytes(15)...)),
		Subject:      pkix.Name{CommonName: q.cn},
		NotBefore:    s.clock(),
		NotAfter:     s.clock().Add(24 * time.Hour * time.Duration(q.days)),
		KeyUsage:     x509.KeyUsageKeyEncipherment | x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},

		BasicConstraintsValid: true,
	}
	if q.ca {
		c.IsCA = true
		c.KeyUsage |= x509.KeyUsageCertSign
	}
	for _, v := range q.ips {
		text, _ := v.(string)
		ip := net.ParseIP(text)
		if ip == nil {
			return nil, fmt.Errorf("error parsing ip: %v", v)
		}
		c.IPAddresses = append(c.IPAddresses, ip)
	}
	for _, v := range q.dns {
		name, ok := v.(string)
		if !ok {
			return nil, fmt.Errorf("error processing alternate dns name: %v is not a string", v)
		}
		c.DNSNames = append(c.DNSNames, name)
	}
	return c, nil
}

// parseCA takes a certificate of ours, or of sprig's buildCustomCert by the names of its fields.
func parseCA(ca any) (*x509.Certificate, crypto.Signer, error) {
	pair, ok := ca.(certificate)
	if !ok {
		v := reflect.ValueOf(ca)
		if v.Kind() != reflect.Struct || !v.FieldByName("Cert").IsValid() || !v.FieldByName("Key").IsValid() {
			return nil, nil, errors.New("the CA is no certificate")
		}
		pair = certificate{Cert: v.FieldByName("Cert").String(), Key: v.FieldByName("Key").String()}
	}
	block, _ := pem.Decode([]byte(pair.Cert))
	if block == nil {
		return nil, nil, errors.New("unable to decode certificate")
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, nil, fmt.Errorf("parse certificate of the CA: %w", err)
	}
	key, err := parseKey(pair.Key)
	if err != nil {
		return nil, nil, fmt.Errorf("parse private key of the CA: %w", err)
	}
	return cert, key, nil
}

func parseKey(text string) (crypto.Signer, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("no PEM data in input")
	}
	switch block.Type {
	case "PRIVATE KEY":
		key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if err != nil {
			return nil, err
		}
		if signer, ok := key.(crypto.Signer); ok {
			return signer, nil
		}
	case "RSA PRIVATE KEY":
		return x509.ParsePKCS1PrivateKey(block.Bytes)
	case "EC PRIVATE KEY":
		return x509.ParseECPrivateKey(block.Bytes)
	}
	return nil, fmt.Errorf("a PEM block of type %s holds no key that can sign", block.Type)
}

// encodeKey writes a key in the form that sprig gives to its kind.
func encodeKey(key crypto.Signer) (string, error) {
	block := &pem.Block{}
	var err error
	switch k := key.(type) {
	case *rsa.PrivateKey:
		block.Type, block.Bytes = "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(k)
	case *ecdsa.PrivateKey:
		block.Type = "EC PRIVATE KEY"
		block.Bytes, err = x509.MarshalECPrivateKey(k)
	default:
		block.Type = "PRIVATE KEY"
		block.Bytes, err = x509.MarshalPKCS8PrivateKey(k)
	}
	if err != nil {
		return "", fmt.Errorf("encode private key: %w", err)
	}
	return string(pem.EncodeToMemory(block)), nil
}

// encryptAES is AES-256 in CBC mode with a padded text, as decryptAES reads it; only the initial vector is drawn.
func (s *Set) encryptAES(password, plain string) (string, error) {
	if plain == "" {
		return "", nil
	}
	key := make([]byte, 32)
	copy(key, password)
	block, err := aes.NewCipher(key)
	if err != nil {
		return "", err
	}
	pad := aes.BlockSize - len(plain)%aes.BlockSize
	text := append([]byte(plain), bytes.Repeat([]byte{byte(pad)}, pad)...)
	out := append(s.bytes(aes.BlockSize), text...)
	cipher.NewCBCEncrypter(block, out[:aes.BlockSize]).CryptBlocks(out[aes.BlockSize:], text)
	return base64.StdEncoding.EncodeToString(out), nil
}
