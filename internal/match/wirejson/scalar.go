package wirejson

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// appendScalar writes one value of a scalar field, never packed. Errors are those that Envoy answers with 400.
func appendScalar(out []byte, fd protoreflect.FieldDescriptor, v Value, foldEnums bool) ([]byte, error) {
	num := fd.Number()
	switch fd.Kind() {
	case protoreflect.Int32Kind, protoreflect.Int64Kind, protoreflect.Sint32Kind, protoreflect.Sint64Kind,
		protoreflect.Sfixed32Kind, protoreflect.Sfixed64Kind:
		n, err := toInt(v, size(fd.Kind()))
		if err != nil {
			return out, err
		}
		switch fd.Kind() {
		case protoreflect.Sint32Kind, protoreflect.Sint64Kind:
			return protowire.AppendVarint(protowire.AppendTag(out, num, protowire.VarintType), protowire.EncodeZigZag(n)), nil
		case protoreflect.Sfixed32Kind:
			return protowire.AppendFixed32(protowire.AppendTag(out, num, protowire.Fixed32Type), uint32(n)), nil
		case protoreflect.Sfixed64Kind:
			return protowire.AppendFixed64(protowire.AppendTag(out, num, protowire.Fixed64Type), uint64(n)), nil
		}
		return protowire.AppendVarint(protowire.AppendTag(out, num, protowire.VarintType), uint64(n)), nil
	case protoreflect.Uint32Kind, protoreflect.Uint64Kind, protoreflect.Fixed32Kind, protoreflect.Fixed64Kind:
		n, err := toUint(v, size(fd.Kind()))
		if err != nil {
			return out, err
		}
		switch fd.Kind() {
		case protoreflect.Fixed32Kind:
			return protowire.AppendFixed32(protowire.AppendTag(out, num, protowire.Fixed32Type), uint32(n)), nil
		case protoreflect.Fixed64Kind:
			return protowire.AppendFixed64(protowire.AppendTag(out, num, protowire.Fixed64Type), n), nil
		}
		return protowire.AppendVarint(protowire.AppendTag(out, num, protowire.VarintType), n), nil
	case protoreflect.FloatKind:
		f, err := toFloat(v)
		if err == nil && !math.IsInf(f, 0) && math.IsInf(float64(float32(f)), 0) {
			err = fmt.Errorf("out of range")
		}
		return protowire.AppendFixed32(protowire.AppendTag(out, num, protowire.Fixed32Type), math.Float32bits(float32(f))), err
	case protoreflect.DoubleKind:
		f, err := toFloat(v)
		return protowire.AppendFixed64(protowire.AppendTag(out, num, protowire.Fixed64Type), math.Float64bits(f)), err
	case protoreflect.BoolKind:
		b, err := toBool(v)
		return protowire.AppendVarint(protowire.AppendTag(out, num, protowire.VarintType), protowire.EncodeBool(b)), err
	case protoreflect.EnumKind:
		n, err := toEnum(v, fd.Enum(), foldEnums)
		return protowire.AppendVarint(protowire.AppendTag(out, num, protowire.VarintType), uint64(int64(n))), err
	case protoreflect.StringKind:
		if v.Kind != String {
			return out, fmt.Errorf("not a string")
		}
		return protowire.AppendString(protowire.AppendTag(out, num, protowire.BytesType), v.Text), nil
	case protoreflect.BytesKind:
		b, err := toBytes(v)
		return protowire.AppendBytes(protowire.AppendTag(out, num, protowire.BytesType), b), err
	}
	return out, fmt.Errorf("a message is not written as a scalar")
}

func size(k protoreflect.Kind) int {
	switch k {
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind, protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return 32
	}
	return 64
}

func toInt(v Value, size int) (int64, error) {
	limit := int64(1)<<(size-1) - 1
	var n int64
	switch v.Kind {
	case Int:
		n = v.Int
	case Uint:
		if v.Uint > uint64(limit) {
			return 0, fmt.Errorf("out of range")
		}
		n = int64(v.Uint)
	case Double:
		if v.Double != math.Trunc(v.Double) || v.Double >= math.Ldexp(1, size-1) || v.Double < -math.Ldexp(1, size-1) {
			return 0, fmt.Errorf("not a whole number in range")
		}
		n = int64(v.Double)
	case String:
		i, err := strconv.ParseInt(v.Text, 10, size)
		if err != nil {
			return 0, fmt.Errorf("not a whole number in range")
		}
		return i, nil
	default:
		return 0, fmt.Errorf("not a number")
	}
	if n > limit || n < -limit-1 {
		return 0, fmt.Errorf("out of range")
	}
	return n, nil
}

func toUint(v Value, size int) (uint64, error) {
	switch v.Kind {
	case Uint:
		if size == 64 || v.Uint <= math.MaxUint32 {
			return v.Uint, nil
		}
	case Int:
		if v.Int >= 0 {
			return toUint(Value{Kind: Uint, Uint: uint64(v.Int)}, size)
		}
	case Double:
		if v.Double == math.Trunc(v.Double) && v.Double >= 0 && v.Double < math.Ldexp(1, size) {
			return uint64(v.Double), nil
		}
	case String:
		u, err := strconv.ParseUint(strings.TrimPrefix(v.Text, "+"), 10, size)
		if err == nil {
			return u, nil
		}
	}
	return 0, fmt.Errorf("not a whole number in range")
}

func toFloat(v Value) (float64, error) {
	switch v.Kind {
	case Double:
		return v.Double, nil
	case Int:
		return float64(v.Int), nil
	case Uint:
		return float64(v.Uint), nil
	case String:
		switch v.Text {
		case "Infinity", "-Infinity", "NaN":
			return strconv.ParseFloat(v.Text, 64)
		}
		text := v.Text
		if strings.ContainsAny(text, "xX") && !strings.ContainsAny(text, "pP") {
			text += "p0" // C reads hexadecimal digits without an exponent
		}
		f, err := strconv.ParseFloat(text, 64)
		if err == nil && !strings.Contains(text, "_") && !math.IsInf(f, 0) && !math.IsNaN(f) {
			return f, nil
		}
	}
	return 0, fmt.Errorf("not a number in range")
}

// toBool takes the words that absl::SimpleAtob takes.
func toBool(v Value) (bool, error) {
	if v.Kind == Bool {
		return v.Bool, nil
	}
	if v.Kind == String {
		switch strings.ToLower(v.Text) {
		case "true", "t", "yes", "y", "1":
			return true, nil
		case "false", "f", "no", "n", "0":
			return false, nil
		}
	}
	return false, fmt.Errorf("not a boolean")
}

// toEnum takes a name, a number as JSON number (also an unknown one), or a known number as text.
func toEnum(v Value, ed protoreflect.EnumDescriptor, fold bool) (protoreflect.EnumNumber, error) {
	switch v.Kind {
	case Null:
		return 0, nil
	case String:
		if value := ed.Values().ByName(protoreflect.Name(v.Text)); value != nil {
			return value.Number(), nil
		}
		if n, err := toInt(v, 32); err == nil && ed.Values().ByNumber(protoreflect.EnumNumber(n)) != nil {
			return protoreflect.EnumNumber(n), nil
		}
		if fold {
			name := strings.ReplaceAll(strings.ToUpper(v.Text), "-", "_")
			if value := ed.Values().ByName(protoreflect.Name(name)); value != nil {
				return value.Number(), nil
			}
		}
		return 0, fmt.Errorf("unknown enum value")
	}
	n, err := toInt(v, 32)
	return protoreflect.EnumNumber(n), err
}

// toBytes takes either alphabet of base64, with or without padding; white space is skipped.
func toBytes(v Value) ([]byte, error) {
	if v.Kind != String {
		return nil, fmt.Errorf("not a string of base64")
	}
	s := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n\v\f\r", r) {
			return -1
		}
		return r
	}, v.Text)
	s = strings.TrimRight(s, "=")
	if strings.ContainsAny(s, "-_") {
		return base64.RawURLEncoding.DecodeString(s)
	}
	return base64.RawStdEncoding.DecodeString(s)
}
