"""Make the files of the test `files` again: small files as people have them.

    python3 make.py

Each file has a line in `expected.txt`: the name, flags, and what must be understood.
All values follow from fixed formulas, so that the files are the same every time.
"""

from pathlib import Path

HERE = Path(__file__).parent
OUT = HERE / "made"
EXPECTED = []


def add(name, content, expected, flags="", encoding="utf-8", end="\n"):
    """Write a file; lines are joined if a list is given."""
    if isinstance(content, list):
        content = end.join(content) + end
    data = content if isinstance(content, bytes) else content.encode(encoding)
    (OUT / name).write_bytes(data)
    EXPECTED.append(f"{name} | {flags} | {expected}")


def pick(k, n):
    """A number below n that looks random."""
    return (k * 7919 + k * k * 104729 + 13) % 1000003 % n


def pairs(count, n, shift=0):
    """Distinct pairs of different numbers below n, in no order."""
    found = []
    k = shift
    while len(found) < count:
        u, v = pick(k, n), pick(k + 500, n)
        if u != v and (u, v) not in found and (v, u) not in found:
            found.append((u, v))
        k += 1
    return found


def stamp(k):
    return f"2024-{1 + k % 12:02}-{1 + k * 7 % 28:02} {k % 24:02}:{k * 11 % 60:02}:00"


def uuid(k):
    return f"{pick(k, 1 << 16):08x}-{pick(k + 1, 1 << 12):04x}-4{k % 1000:03}-8{pick(k, 999):03}-{k * 99991:012x}"


def make():
    OUT.mkdir(exist_ok=True)
    for old in OUT.iterdir():
        old.unlink()
    e = pairs(60, 20)
    person = ["Ann", "Bob", "Cy", "Di", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo",
              "Kim", "Leo", "Max", "Ned", "Oda", "Pia", "Quin", "Rex", "Sue", "Tom"]

    # Columns by their values.
    add("trip.csv", ["ride_id,started_at,start_station_name,end_station_name,member"] + [
        f"R{9000 + k},{stamp(k)},Station {u},Station {v},{'casual' if k % 3 else 'member'}"
        for k, (u, v) in enumerate(e)
    ], "start_station_name -> end_station_name; 20 nodes; 60 edges")
    add("payer.csv", ["date,amount,payer,payee"] + [
        f"2024-03-{1 + k % 28:02},{10 + k * 37 % 900}.{k % 10}5,{person[u]},{person[v]}"
        for k, (u, v) in enumerate(e)
    ], "payer -> payee; 20 nodes; 60 edges")
    add("sociopatterns.dat.txt", [
        f"{31220 + 20 * (k // 3)}\t{1400 + 7 * u}\t{1400 + 7 * v}\t{'MP' if u % 2 else 'PC'}{u % 3}\t{'MP' if v % 2 else 'PC'}{v % 3}"
        for k, (u, v) in enumerate(e)
    ], "2 -> 3; 20 nodes; 60 edges")
    add("rdf.csv", ["subject,predicate,object"] + [
        f"{person[u]},{['knows', 'likes', 'met'][k % 3]},{person[v]}" for k, (u, v) in enumerate(e)
    ], "subject -> object; 20 nodes; 60 edges")
    add("msglog.csv", ["timestamp,sender,recipient,bytes"] + [
        f"{stamp(k)},{person[u]},{person[v]},{k * 331 % 5000}" for k, (u, v) in enumerate(e)
    ], "sender -> recipient; 20 nodes; 60 edges")
    add("counted_first.csv", [f"{k},{person[u]},{person[v]}" for k, (u, v) in enumerate(e)],
        "2 -> 3; index 1; 20 nodes; 60 edges")
    add("pandas_index.csv", [",source,target"] + [f"{k},{u},{v}" for k, (u, v) in enumerate(e)],
        "source -> target; index 1; 20 nodes; 60 edges")
    add("unlucky_names.csv", ["start,end,person_a,person_b"] + [
        f"2024-01-{1 + k % 28:02},2024-02-{1 + k % 28:02},{person[u]},{person[v]}" for k, (u, v) in enumerate(e)
    ], "person_a -> person_b; 20 nodes; 60 edges")
    add("rentals.csv", ["start,end,rider,bike"] + [
        f"2024-01-{1 + k % 28:02},2024-02-{1 + k % 28:02},r{k % 11},b{k % 13}" for k in range(60)
    ], "rider -> bike; 24 nodes; 60 edges")
    add("german.csv", ["Datum;Betrag;Absender;Empfänger"] + [
        f"{1 + k % 28:02}.03.2024;{k % 50},{k % 90 + 10};Müller {u};Müller {v}" for k, (u, v) in enumerate(e)
    ], "Absender -> Empfänger; 20 nodes; 60 edges")
    add("employees.csv", ["employee,department,manager"] + [
        f"{person[k]},{['A', 'B'][k % 2]},{person[(k - 1) // 2]}" for k in range(1, 20)
    ], "employee -> manager; 20 nodes; 19 edges")
    add("yes_no.csv", ["who,clicked,whom,bought"] + [
        f"{person[u]},{'yes' if k % 2 else 'no'},{person[v]},{'no' if k % 3 else 'yes'}" for k, (u, v) in enumerate(e)
    ], "who -> whom; 20 nodes; 60 edges")
    add("weights_like_ids.csv", ["source,target,weight"] + [
        f"{u},{v},{1 + k % 20}" for k, (u, v) in enumerate(e)
    ], "source -> target; weight weight; 20 nodes; 60 edges")
    add("coordinates.csv", ["name,friend,x1,x2"] + [
        f"{person[u]},{person[v]},{u}.5,{v}.5" for u, v in e
    ], "name -> friend; 20 nodes; 60 edges")
    add("reversed.csv", ["to,from,kind"] + [f"{person[v]},{person[u]},k{u % 3}" for u, v in e],
        "from -> to; 20 nodes; 60 edges")
    add("unix_times.tsv", [f"{u}\t{v}\t{1082040961 + 977 * k}" for k, (u, v) in enumerate(e)],
        "1 -> 2; times 3; 20 nodes; 60 edges")
    add("uuid.csv", ["id,from_uuid,to_uuid,created_at"] + [
        f"{k + 1},{uuid(u)},{uuid(v)},{stamp(k)}" for k, (u, v) in enumerate(e)
    ], "from_uuid -> to_uuid; index id; 20 nodes; 60 edges")
    add("gephi.csv", ["Source,Target,Type,Id,Label,timeset,Weight"] + [
        f"{u},{v},Undirected,{k},,,{1 + k % 4}.0" for k, (u, v) in enumerate(e)
    ], "Source -> Target; weight Weight; 20 nodes; 60 edges")
    add("snap.txt", ["# Directed graph", "# Nodes: 20 Edges: 60", "# FromNodeId\tToNodeId"] + [
        f"{u}\t{v}" for u, v in e
    ], "1 -> 2; 20 nodes; 60 edges", end="\r\n")
    add("quoted.csv", ['"Person, first","Person, second"'] + [
        f'"{person[u]}, ""the {u}""","{person[v]}, ""the {v}"""' for u, v in e
    ], "Person, first -> Person, second; 20 nodes; 60 edges")
    add("euro.csv", ['"Price €","Sold by","Bought by"'] + [
        f'"{k}.50","{person[u]}","{person[v]}"' for k, (u, v) in enumerate(e)
    ], "Sold by -> Bought by; 20 nodes; 60 edges")

    add("star.txt", [f"0 {k} {1 + k % 20}" for k in range(1, 31)], "1 -> 2; weight 3; 31 nodes; 30 edges")
    add("tiny_star.txt", ["0 1 1", "0 2 1", "0 3 2"], "1 -> 2; weight 3; 4 nodes; 3 edges")
    add("tiny_path.txt", ["0 1 1", "1 2 2"], "1 -> 2; weight 3; 3 nodes; 2 edges")
    add("two_stars.csv", ["hub,leaf,year,month"] + [
        f"{'AB'[k % 2]},L{k},{2000 + k % 12},{1 + k % 12}" for k in range(30)
    ], "hub -> leaf; 32 nodes; 30 edges")
    add("tree.csv", ["parent,child,size"] + [f"{(k - 1) // 2},{k},{1 + k % 7}" for k in range(1, 40)],
        "parent -> child; 40 nodes; 39 edges")

    add("star_reversed.txt", [f"{k} 0 {1 + k % 20}" for k in range(1, 31)], "1 -> 2; weight 3; 31 nodes; 30 edges")
    add("orders.csv", ["order,customer,product,price"] + [
        f"O{k:04},{person[k % 9]},P{pick(k, 15)},{k}.99" for k in range(40)
    ], "customer -> product; kinds customer , product; counted 4; 23 nodes; 36 edges")

    add("arrows.txt", [f"{person[u]} -> {person[v]}" for u, v in e], "1 -> 3; 20 nodes; 60 edges")
    add("arrows_star.txt", [f"hub -> leaf{k}" for k in range(12)], "1 -> 3; 13 nodes; 12 edges")
    add("flows.csv", ["src_ip,src_port,dst_ip,dst_port,bytes"] + [
        f"10.0.0.{u},{40000 + k},192.168.1.{v},{[80, 443][k % 2]},{k * 17}" for k, (u, v) in enumerate(e)
    ], f"src_ip -> dst_ip; {len({u for u, v in e}) + len({v for u, v in e})} nodes; 60 edges")
    add("places.csv", ["lat1,lon1,lat2,lon2,name_a,name_b"] + [
        f"{u}.25,{v}.5,{v}.75,{u}.125,{person[u]},{person[v]}" for u, v in e
    ], "name_a -> name_b; 20 nodes; 60 edges")
    add("hashtags.csv", ["user,tag"] + [f"{person[u]},#t{v}" for u, v in e[:30]] + ["#t1,Ann"],
        f"user -> tag; kinds user , tag; remark comments; {len({u for u, v in e[:30]}) + len({v for u, v in e[:30]})} nodes; 30 edges")
    add("nulls.csv", ["sender,recipient"] + [f"{person[u]},{'NULL' if k % 9 == 0 else person[v]}" for k, (u, v) in enumerate(e)],
        "sender -> recipient; remark missing; counted 1; 21 nodes; 59 edges")

    # Two kinds of nodes.
    buys = sorted({(pick(k, 12) + 1, pick(k + 700, 9) + 1) for k in range(70)})
    add("bip.csv", ["user_id,item_id,rating"] + [f"{u},{i},{1 + (u * i) % 5}" for u, i in buys],
        f"user_id -> item_id; kinds user + item; 21 nodes; {len(buys)} edges")
    add("bip_named.csv", ["user,item"] + [f"user{u},item{i}" for u, i in buys],
        f"user -> item; kinds user , item; 21 nodes; {len(buys)} edges")
    rated = sorted({(pick(k, 60) + 1, pick(k + 900, 20) + 1) for k in range(700)})
    add("ratings_no_header.tsv", [f"{u}\t{i}\t{1 + (u + i) % 5}\t{881250949 + u}" for u, i in rated],
        f"1 -> 2; weight 3; kinds source + target; 80 nodes; {len(rated)} edges")
    add("bip_asked.csv", ["a,b"] + [f"{u},{i}" for u, i in buys],
        f"a -> b; kinds a + b; 21 nodes; {len(buys)} edges", flags="bipartite")

    # Repeats.
    log = [(u, v) for k, (u, v) in enumerate(pairs(40, 12)) for _ in range(1 + k % 4)]
    add("log.csv", ["time,sender,recipient"] + [
        f"{stamp(k)},{person[u]},{person[v]}" for k, (u, v) in enumerate(log)
    ], "sender -> recipient; counted 60; 12 nodes; 40 edges")
    add("both_ways.csv", [f"{a},{b}" for u, v in e for a, b in ((u, v), (v, u))],
        "1 -> 2; 20 nodes; 60 edges")
    add("twice.csv", [f"{u},{v}" for u, v in e + e], "1 -> 2; merged 60; 20 nodes; 60 edges")
    add("log_none.csv", [f"{u} {v}" for u, v in log], "1 -> 2; merged 60; 12 nodes; 40 edges", flags="weight=none")

    # Matrices.
    names = [f"Müller {k}" for k in range(8)]
    cell = [[0.0 if r == c else round(((r * c) % 7 + abs(r - c)) / 9, 2) for c in range(8)] for r in range(8)]
    table = [";" + ";".join(names)] + [
        names[r] + ";" + ";".join(str(x).replace(".", ",") for x in cell[r]) for r in range(8)
    ]
    add("excel_adj.csv", table, "matrix; weights; note Windows-1252; 8 nodes; 28 edges", encoding="cp1252", end="\r\n")
    add("excel_adj_utf8.csv", table, "matrix; weights; 8 nodes; 28 edges")
    add("excel_adj_utf16.txt", [line.replace(";", "\t") for line in table],
        "matrix; weights; note UTF-16; 8 nodes; 28 edges", encoding="utf-16", end="\r\n")
    upper = [";" + ";".join(names)] + [
        names[r] + ";" + ";".join(str(cell[r][c]).replace(".", ",") if c > r else "" for c in range(8)) for r in range(8)
    ]
    add("excel_adj_bom.csv", upper, "matrix; weights; 8 nodes; 28 edges", encoding="utf-8-sig")
    corr = [[1.0 if r == c else round(((r + c) % 5 - 2) / 7, 3) for c in range(6)] for r in range(6)]
    add("corr.csv", ["," + ",".join(f"P{10 + c}" for c in range(6))] + [
        f"P{10 + r}," + ",".join(map(str, corr[r])) for r in range(6)
    ], "error `-0.143` of `P10` and `P11` is negative|signed weights are not supported")
    add("corr_no_names.csv", [",".join(map(str, row)) for row in corr], "error `-0.143` is negative")
    add("square01.csv", [" ".join(str(int((r + c) % 3 == 1 and r != c)) for c in range(7)) for r in range(7)],
        "matrix; 7 nodes; 7 edges")

    add("shuffled_names.csv", [",a,b,c", "b,0,1,0", "a,1,0,1", "c,0,1,0"],
        "error the rows of the matrix are not named as its columns")
    add("true_false.csv", [",a,b,c", "a,FALSE,TRUE,FALSE", "b,TRUE,FALSE,TRUE", "c,FALSE,TRUE,FALSE"],
        "error `FALSE` of `a` and `a` is not a number")
    add("incidence.csv", [",i1,i2,i3,i4,i5"] + [f"u{r}," + ",".join(str((r * 7 + c * 3) % 4 // 3) for c in range(5)) for r in range(12)],
        "error a table of zeros and ones")
    add("coordinates_only.csv", ["lat,lon"] + [f"{47 + k / 7:.4f},{8 + k / 9:.4f}" for k in range(20)],
        "error holds times or numbers with fractions|set `source`")

    # Encodings, delimiters and numbers.
    add("big_1252.csv", ["von;nach"] + [f"Müller {u};Müller {v}" for u, v in e],
        "von -> nach; note Windows-1252; 20 nodes; 60 edges", encoding="cp1252")
    add("unicode_text.txt", ["von\tnach\tGewicht"] + [f"Grün {u}\tGrün {v}\t{k},5" for k, (u, v) in enumerate(e)],
        "von -> nach; weight Gewicht; commas; note UTF-16; 20 nodes; 60 edges", encoding="utf-16")
    add("sep.csv", ["sep=;", "von;nach;Gewicht"] + [f"{u};{v};{k % 9},25" for k, (u, v) in enumerate(e)],
        "von -> nach; weight Gewicht; commas; 20 nodes; 60 edges", end="\r\n")
    add("pipes.csv", ["a|b|w"] + [f"{person[u]}|{person[v]}|{1 + u}" for u, v in e],
        "a -> b; weight w; 20 nodes; 60 edges")
    add("thousands.csv", ["from,to,weight"] + [f'{u},{v},"{1 + k % 40},{681 + k}.50"' for k, (u, v) in enumerate(e)],
        "from -> to; weight weight; grouped; 20 nodes; 60 edges")
    add("thousands_de.csv", ["von;nach;Betrag"] + [f"{u};{v};{1 + k % 40}.{681 + k},50" for k, (u, v) in enumerate(e)],
        "von -> nach; weight Betrag; commas; 20 nodes; 60 edges", flags="weight=Betrag")
    add("trailing.csv", ["source,target,weight,"] + [f"{u},{v},{1 + u}," for u, v in e],
        "source -> target; weight weight; 20 nodes; 60 edges")
    add("lonely.csv", [f"{person[u]},{person[v]}" for u, v in e] + ["Zoe,", "Yan,"],
        "1 -> 2; 22 nodes; 60 edges")
    add("nan.csv", ["source,target,weight"] + [f"{u},{v},{'NaN' if k == 7 else 1 + u}" for k, (u, v) in enumerate(e)],
        "error line 9: weight `NaN` is not finite|skip_bad")
    add("empty_weight.csv", ["source,target,weight"] + [f"{u},{v},{'' if k == 7 else 1 + u}" for k, (u, v) in enumerate(e)],
        "error line 9: the weight is empty|skip_bad")
    add("nan_skipped.csv", ["source,target,weight"] + [f"{u},{v},{'NaN' if k == 7 else 1 + u}" for k, (u, v) in enumerate(e)],
        "source -> target; weight weight; skipped 1; 20 nodes; 59 edges", flags="skip_bad")
    add("tiny_weight.csv", [f"{u},{v},{'1e-46' if k == 3 else 1}" for k, (u, v) in enumerate(e)],
        "error line 4: weight `1e-46` is too small")
    add("huge_weight.csv", [f"{u},{v},{'1e39' if k == 3 else 1}" for k, (u, v) in enumerate(e)],
        "error line 4: weight `1e39` is too large")
    add("networkx.edgelist", [f"{u} {v} {{'weight': {1 + k % 4}, 'kind': 'a b'}}" for k, (u, v) in enumerate(e)],
        "1 -> 2; weight weight; 20 nodes; 60 edges")
    add("networkx_plain.edgelist", [f"{u} {v} {{}}" for u, v in e], "1 -> 2; 20 nodes; 60 edges")

    # JSON.
    items = ", ".join(f'{{"data": {{"id": "{person[k]}", "size": {k}}}}}' for k in range(20))
    links = ", ".join(f'{{"data": {{"source": "{person[u]}", "target": "{person[v]}", "weight": {1 + u}}}}}' for u, v in e)
    add("cytoscape.cyjs.json", f'{{"data": {{"name": "club"}}, "elements": {{"nodes": [{items}], "edges": [{links}]}}}}',
        "json; weights; 20 nodes; 60 edges")
    add("cytoscape_flat.json", f'{{"elements": [{items}, {links}]}}', "json; weights; 20 nodes; 60 edges")
    add("lines.json", [f'{{"when": "{stamp(k)}", "sender": "{person[u]}", "recipient": "{person[v]}"}}' for k, (u, v) in enumerate(e)],
        "sender -> recipient; 20 nodes; 60 edges")
    add("pairs.json", "[" + ", ".join(f"[{u}, {v}]" for u, v in e) + "]", "1 -> 2; 20 nodes; 60 edges")
    add("triples.json", "[" + ", ".join(f'["{person[u]}", "{person[v]}", {u}.5]' for u, v in e) + "]",
        "1 -> 2; weight 3; 20 nodes; 60 edges")
    add("records.json", "[" + ", ".join(f'{{"from": {u}, "to": {v}, "weight": {1 + u}}}' for u, v in e) + "]",
        "from -> to; weight weight; 20 nodes; 60 edges")
    (HERE / "expected.txt").write_text("\n".join(EXPECTED) + "\n")


make()
