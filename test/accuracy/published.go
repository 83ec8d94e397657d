package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// published is the folder with the publishers' files, beside the project.
const published = "../shared/tariff"

// sample is a description with its code, as far as that is known.
type sample struct {
	Query  string `json:"query"`
	Code   string `json:"code"`
	Source string `json:"source"`
}

// samples reads a file of one sample a line.
func samples(name string) (all []sample, err error) {
	file, err := os.Open(filepath.Join(published, name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var s sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// references reads the search references of both publishers.
func references() (all []nomenclature.Text, err error) {
	var ott struct {
		Data []struct {
			Title string `json:"title"`
			Code  string `json:"goods_nomenclature_item_id"`
		} `json:"data"`
	}
	if err := readJSON("ott_search_references_2023.json", &ott); err != nil {
		return nil, err
	}
	for _, r := range ott.Data {
		all = append(all, nomenclature.Text{Text: r.Title, Code: r.Code[:min(len(r.Code), 10)]})
	}
	file, err := os.Open(filepath.Join(published, "fpo_search_references_2026.json"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	parcel := json.NewDecoder(file) // token by token: the order of the file decides between equal codes
	if _, err := parcel.Token(); err != nil {
		return nil, err
	}
	for parcel.More() {
		name, err := parcel.Token()
		if err != nil {
			return nil, err
		}
		r := nomenclature.Text{Text: fmt.Sprint(name)}
		if err := parcel.Decode(&r.Code); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

func readJSON(name string, into any) error {
	text, err := os.ReadFile(filepath.Join(published, name))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// officialTree reads the nomenclature of 1 January 2022.
func officialTree() (*nomenclature.Tree, error) {
	file, err := os.Open(filepath.Join(published, "uk_goods_nomenclature_2022-01-01.csv"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, err
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	nodes := make([]nomenclature.Node, 0, len(rows))
	for _, r := range rows[1:] {
		indent, err := strconv.Atoi(r[column["indent"]])
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, nomenclature.Node{
			Code: r[column["commodity_code"]], Suffix: r[column["product_line_suffix"]], Indent: indent,
			Description: strings.TrimSpace(r[column["description"]]), Declarable: r[column["end_line"]] == "1",
			From: r[column["start_date"]], To: r[column["end_date"]],
		})
	}
	return nomenclature.New(nodes)
}
