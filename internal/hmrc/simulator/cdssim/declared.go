package cdssim

import (
	"errors"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// maxUnpacked is the maximum size of a declaration in bytes after it is decompressed.
const maxUnpacked = 64 << 20

var packer = sync.OnceValue(func() *zstd.Encoder {
	e, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))
	return e
})

var unpacker = sync.OnceValue(func() *zstd.Decoder {
	d, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxUnpacked))
	return d
})

// pack compresses a declaration.
func pack(document []byte) []byte { return packer().EncodeAll(document, nil) }

var errForgotten = errors.New("simulator: the declaration is not stored any more")

// declaration returns the declaration of a conversation as it is declared now.
func (c *conversation) declaration() (wco.Declaration, error) {
	if c.Declared == nil {
		return wco.Declaration{}, errForgotten
	}
	document, err := unpacker().DecodeAll(c.Declared, nil)
	if err != nil {
		return wco.Declaration{}, err
	}
	return decode(document)
}
