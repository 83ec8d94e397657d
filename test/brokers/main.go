// Command brokers is a broker, a queue or storage on the loopback address for tests of destinations:
//
//	brokers nats|kafka|sqs|s3 -port 4222 -dir FOLDER -user NAME -password SECRET
//
// NATS and Kafka keep their messages in the folder, so that they have them after a restart. Kafka, the queue and the storage refuse
// messages while there is a file named refuse in the folder: see refuse.go.
package main

import (
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/nats-io/nats-server/v2/server"
)

type settings struct {
	port, advertised    int
	dir, user, password string
}

var kinds = map[string]func(settings) error{"nats": nats, "kafka": kafka, "sqs": sqs, "s3": s3}

func main() {
	if len(os.Args) < 2 || kinds[os.Args[1]] == nil {
		log.Fatal("usage: brokers nats|kafka|sqs|s3 -port PORT -dir FOLDER -user NAME -password SECRET")
	}
	var s settings
	flags := flag.NewFlagSet("brokers", flag.ExitOnError)
	flags.IntVar(&s.port, "port", 0, "port")
	flags.IntVar(&s.advertised, "advertise", 0, "port that Kafka names to clients, if it is not its own")
	flags.StringVar(&s.dir, "dir", "", "folder for messages")
	flags.StringVar(&s.user, "user", "", "user name, or id of the access key")
	flags.StringVar(&s.password, "password", "", "password, or secret of the access key")
	_ = flags.Parse(os.Args[2:])
	if err := kinds[os.Args[1]](s); err != nil {
		log.Fatal(err)
	}
	select {}
}

func nats(s settings) error {
	n, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: s.port, JetStream: true, StoreDir: s.dir, Username: s.user, Password: s.password, MaxPayload: 64 << 10, NoSigs: true,
	})
	if err != nil {
		return err
	}
	n.Start()
	if !n.ReadyForConnections(20 * time.Second) {
		return fmt.Errorf("nats is not ready")
	}
	return nil
}

func s3(s settings) error {
	backend := s3mem.New()
	if err := backend.CreateBucket("events"); err != nil {
		return err
	}
	return serve(s, signed(s, "s3", gofakes3.New(backend).Server()))
}

func serve(s settings, h http.Handler) error {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", s.port))
	if err == nil {
		go func() { log.Fatal(http.Serve(l, h)) }()
	}
	return err
}
