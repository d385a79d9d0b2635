package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/object"
)

var testKey = []byte("0123456789abcdef")

// sealedText is what stands for a value, written out.
func sealedText(value string) string {
	mac := hmac.New(sha256.New, testKey)
	mac.Write([]byte(value))
	return "sealed:" + hex.EncodeToString(mac.Sum(nil))
}

// canonical sorts keys and keeps numbers as written.
func canonical(t *testing.T, raw []byte) []byte {
	t.Helper()
	fields, err := object.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSeal(t *testing.T) {
	hunter := sealedText("hunter2")
	for name, c := range map[string]struct{ in, want string }{
		"data":                        {`{"apiVersion":"v1","kind":"Secret","data":{"p":"aHVudGVyMg=="}}`, `{"apiVersion":"v1","kind":"Secret","data":{"p":"` + hunter + `"}}`},
		"base64 over several lines":   {`{"apiVersion":"v1","kind":"Secret","data":{"p":"aHVu\nZHVyMg=="}}`, `{"apiVersion":"v1","kind":"Secret","data":{"p":"` + sealedText("hundur2") + `"}}`},
		"stringData":                  {`{"apiVersion":"v1","kind":"Secret","stringData":{"p":"hunter2"}}`, `{"apiVersion":"v1","kind":"Secret","data":{"p":"` + hunter + `"}}`},
		"stringData goes over data":   {`{"apiVersion":"v1","kind":"Secret","data":{"p":"b2xk","q":"aHVudGVyMg=="},"stringData":{"p":"hunter2"}}`, `{"apiVersion":"v1","kind":"Secret","data":{"p":"` + hunter + `","q":"` + hunter + `"}}`},
		"no base64":                   {`{"apiVersion":"v1","kind":"Secret","data":{"p":"hunter2!"}}`, `{"apiVersion":"v1","kind":"Secret","data":{"p":"` + sealedText("hunter2!") + `"}}`},
		"already marked":              {`{"apiVersion":"v1","kind":"Secret","stringData":{"p":"sealed:hunter2"}}`, `{"apiVersion":"v1","kind":"Secret","data":{"p":"` + sealedText("sealed:hunter2") + `"}}`},
		"no strings":                  {`{"apiVersion":"v1","kind":"Secret","stringData":{"p":12345,"q":{"r":"hunter2"}}}`, `{"apiVersion":"v1","kind":"Secret","data":{"p":"` + sealedText(`12345`) + `","q":"` + sealedText(`{"r":"hunter2"}`) + `"}}`},
		"no map":                      {`{"apiVersion":"v1","kind":"Secret","data":"hunter2"}`, `{"apiVersion":"v1","kind":"Secret","data":"` + sealedText(`["hunter2",null]`) + `"}`},
		"null":                        {`{"apiVersion":"v1","kind":"Secret","data":null}`, `{"apiVersion":"v1","kind":"Secret"}`},
		"everything else stays":       {`{"apiVersion":"v1","kind":"Secret","type":"Opaque","immutable":true,"metadata":{"name":"s","annotations":{"a":"b"}}}`, `{"apiVersion":"v1","kind":"Secret","type":"Opaque","immutable":true,"metadata":{"name":"s","annotations":{"a":"b"}}}`},
		"last applied":                {`{"apiVersion":"v1","kind":"Secret","metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"x"}}}`, `{"apiVersion":"v1","kind":"Secret","metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"` + sealedText(`"x"`) + `"}}}`},
		"a Secret of another group":   {`{"apiVersion":"example.com/v1","kind":"Secret","data":{"p":"aHVudGVyMg=="}}`, `{"apiVersion":"example.com/v1","kind":"Secret","data":{"p":"` + hunter + `"}}`},
		"a Secret without a version":  {`{"kind":"Secret","data":{"p":"aHVudGVyMg=="}}`, `{"kind":"Secret","data":{"p":"` + hunter + `"}}`},
		"a copy in an annotation":     {`{"apiVersion":"v1","kind":"Secret","metadata":{"annotations":{"kapp.k14s.io/original":"{\"stringData\":{\"p\":\"hunter2\"}}"}}}`, `{"apiVersion":"v1","kind":"Secret","metadata":{"annotations":{"kapp.k14s.io/original":"` + sealedText(`"{\"stringData\":{\"p\":\"hunter2\"}}"`) + `"}}}`},
		"last applied of any object":  {`{"kind":"Template","metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"x"}}}`, `{"kind":"Template","metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"` + sealedText(`"x"`) + `"}}}`},
		"a list of Secrets":           {`{"kind":"SecretList","items":[{"data":{"p":"aHVudGVyMg=="}}]}`, `{"kind":"SecretList","items":[{"kind":"Secret","data":{"p":"` + hunter + `"}}]}`},
		"a ConfigMap":                 {`{"apiVersion":"v1","kind":"ConfigMap","data":{"p":"hunter2"}}`, `{"apiVersion":"v1","kind":"ConfigMap","data":{"p":"hunter2"}}`},
		"a Secret inside":             {`{"kind":"ManifestWork","spec":{"manifests":[{"apiVersion":"v1","kind":"Secret","stringData":{"p":"hunter2"}}]}}`, `{"kind":"ManifestWork","spec":{"manifests":[{"apiVersion":"v1","kind":"Secret","data":{"p":"` + hunter + `"}}]}}`},
		"SOPS values":                 {`{"kind":"X","spec":["ENC[AES256_GCM,data:abc,type:str]",1],"sops":{"mac":"ENC[AES256_GCM,data:d]","version":"3"}}`, `{"kind":"X","spec":["` + sealedText("ENC[AES256_GCM,data:abc,type:str]") + `",1]}`},
		"a field that is called sops": {`{"kind":"X","sops":{"on":true}}`, `{"kind":"X","sops":{"on":true}}`},
	} {
		t.Run(name, func(t *testing.T) {
			in, err := object.Decode([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(Seal(testKey, object.Object{Fields: in}).Fields)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(canonical(t, []byte(c.want))) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if strings.Contains(c.want, "sealed:") && strings.Contains(string(got), "hunter2") {
				t.Error("it leaks")
			}
			if after, _ := json.Marshal(in); string(after) != string(canonical(t, []byte(c.in))) {
				t.Errorf("the engine's object was changed: %s", after)
			}
		})
	}
}

// TestSealSpellings: one value in two spellings, files and keys is one digest; another key gives another one.
func TestSealSpellings(t *testing.T) {
	of := func(key []byte, doc string) string {
		fields, err := object.Decode([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		return object.String(Seal(key, object.Object{Fields: fields}).Fields, "data", "p")
	}
	data := of(testKey, `{"apiVersion":"v1","kind":"Secret","data":{"p":"aHVudGVyMg=="}}`)
	plain := of(testKey, `{"apiVersion":"v1","kind":"Secret","stringData":{"p":"hunter2"}}`)
	other := of([]byte("another key"), `{"apiVersion":"v1","kind":"Secret","stringData":{"p":"hunter2"}}`)
	if !object.IsSealed(data) || data != plain || data == other {
		t.Errorf("%s %s %s", data, plain, other)
	}
}

func TestSealUnstable(t *testing.T) {
	fields := map[string]any{"apiVersion": "v1", "kind": "Secret", "stringData": map[string]any{"p": "x"}}
	got := Seal(testKey, object.Object{Fields: fields, Unstable: []string{"/stringData/p", "/data/p", "/metadata/name", "/stringDatax"}}).Unstable
	if want := []string{"/data/p", "/metadata/name", "/stringDatax"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	fields["kind"] = "ConfigMap"
	if got := Seal(testKey, object.Object{Fields: fields, Unstable: []string{"/stringData/p"}}).Unstable; got[0] != "/stringData/p" {
		t.Errorf("got %q", got)
	}
}
