package strict_test
import ("testing";"strings";"fmt";"time";"encoding/json")
func TestPoC(t *testing.T){
 r,s:=schemaOf[parcel]()
 b,_:=json.MarshalIndent(r.Schemas.Map(),""," ")
 fmt.Println(string(b))
 var sb strings.Builder
 for i:=0;i<100000;i++{ fmt.Fprintf(&sb,`"%06d":1,`,i)}
 body:=parcelOf(`"kind":{`+sb.String()+`"z":1}`)
 at:=time.Now(); d:=r.Check(s,[]byte(body)); fmt.Println("wide",len(body),time.Since(at),len(d))
 body=parcelOf(`"`+strings.Repeat("A",500000)+`":{`+strings.Repeat(`"b":1,`,80000)+`"z":1}`)
 at=time.Now(); d=r.Check(s,[]byte(body)); n:=0; for _,x:=range d{n+=len(x.Field)}; fmt.Println("long",len(body),time.Since(at),len(d),n)
 body=parcelOf(`"`+strings.Repeat("A",500000)+`":[`+strings.Repeat(`1,`,200000)+`1]`)
 at=time.Now(); d=r.Check(s,[]byte(body)); n=0; for _,x:=range d{n+=len(x.Field)}; fmt.Println("longarr",len(body),time.Since(at),len(d),n)
 fmt.Println(r.Check(s,[]byte(parcelOf("\"code\":\"\xff123\""))), r.Check(s,[]byte(parcelOf(`"anything":1,"form":{"a":1e400}`))))
}
