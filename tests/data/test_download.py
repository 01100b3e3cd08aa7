import hashlib
import http.server
import threading

import pytest
import toy_entry
from script_tools import script

from cutpoint.base.errors import InputError
from cutpoint.bench.data.parquet import open_data
from cutpoint.data.download import fetch
from cutpoint.data.registry import make_entry

CONTENT, HEADER, OTHER = b"1,x\n2,y\n3,x\n", b"b,a\n", b"<html>log in</html>"
KEYS = toy_entry.KEYS | {"columns": ["b", "a"], "dropped": []}


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def toy(*urls, names=("toy.data",), **changes):
    files = [{"name": name, "sha256": sha256(CONTENT), "urls": list(urls)} for name in names]
    return make_entry("toy", {**KEYS, "files": files, **changes})


class Handler(http.server.BaseHTTPRequestHandler):
    """/ok the content, /header one line before it, /other other content, /hang silence."""

    def do_GET(self):
        self.server.paths.append(self.path)
        bodies = {"/ok": CONTENT, "/header": HEADER + CONTENT, "/other": OTHER}
        if self.path == "/hang":
            self.server.stop.wait(10)
        elif self.path in bodies:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(bodies[self.path])
        else:
            self.send_error(404)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    server = Server(("127.0.0.1", 0), Handler)
    server.paths, server.stop = [], threading.Event()
    server.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.stop.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def closed_port(server):
    other = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    other.server_close()
    return f"http://127.0.0.1:{other.server_port}"


WRONG = f"wrong checksum: expected sha256 {sha256(CONTENT)}, got {sha256(OTHER)}"


@pytest.mark.parametrize(
    ("pages", "reasons"),
    [
        (["ok", "other"], []),
        (["none", "other", "ok"], ["HTTP 404", WRONG]),
        (["closed", "ok"], ["no answer"]),
        (
            ["header", {"strip_lines": 1, "url": "header"}],
            [f"{WRONG.partition('got')[0]}got {sha256(HEADER + CONTENT)}"],
        ),
    ],
)
def test_the_first_address_with_the_right_content_is_used(server, closed_port, pages, reasons):
    def url(page):
        return f"{closed_port if page == 'closed' else server.url}/{page}"

    urls = [page | {"url": url(page["url"])} if isinstance(page, dict) else url(page) for page in pages]
    fetched = fetch(toy(*urls))
    assert fetched.files == {"toy.data": CONTENT}
    assert fetched.checksums == {"toy.data": sha256(CONTENT)}
    assert list(fetched.reasons) == [f"toy.data: {url}: {why}" for url, why in zip(urls, reasons, strict=False)]
    assert len(server.paths) == len(reasons) + 1 - pages.count("closed")


def test_a_silent_host_costs_one_timeout_for_all_files(server):
    other = server.url.replace("127.0.0.1", "localhost")
    entry = toy(f"{server.url}/hang", f"{other}/ok", names=("one", "two", "three"))
    fetched = fetch(entry, timeout=1.5)  # in which a busy machine answers /ok
    assert list(fetched.files) == ["one", "two", "three"]
    assert server.paths == ["/hang", "/ok", "/ok", "/ok"]
    first, second, _ = fetched.reasons
    assert first == f"one: {server.url}/hang: no answer (ReadTimeout)"
    assert second == f"two: {server.url}/hang: no answer"


def test_no_file_is_given_where_one_of_them_is_missing(server):
    good = {"name": "one", "sha256": sha256(CONTENT), "urls": [f"{server.url}/ok"]}
    bad = {"name": "two", "sha256": sha256(CONTENT), "urls": [f"{server.url}/none"]}
    fetched = fetch(make_entry("toy", {**KEYS, "files": [good, bad]}))
    assert fetched.files == {}
    assert fetched.reasons == (f"two: {server.url}/none: HTTP 404",)


@pytest.mark.parametrize(
    "copies",
    [
        {"toy.data": CONTENT},
        {"toy/toy.data": CONTENT},
        {"raw/toy/toy.data": CONTENT},
        {"toy.data": b"of another set", "other/toy.data": CONTENT},
    ],
)
def test_a_mirror_takes_the_place_of_all_addresses(server, tmp_path, copies):
    without = fetch(toy(f"{server.url}/ok"), mirror=tmp_path)  # a reason and no error
    assert (without.files, without.reasons) == ({}, (f"toy.data: not in mirror {tmp_path}",))
    for name, content in copies.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    assert fetch(toy(f"{server.url}/ok"), mirror=tmp_path).files == {"toy.data": CONTENT}
    assert server.paths == []


def test_what_is_wrong_with_copies_of_the_user_is_named(tmp_path):
    (tmp_path / "one").write_bytes(CONTENT)
    (tmp_path / "toy.data").write_bytes(OTHER)
    advice = "replace it by an unchanged copy or remove it"
    cases = [
        (
            toy(names=("one", "two")),
            {"mirror": tmp_path},
            f"toy: two: not in mirror {tmp_path}, which has other files ",
        ),
        (toy(), {"mirror": tmp_path}, f"{tmp_path / 'toy.data'}: {WRONG}; {advice}"),
        (toy(), {"mirror": tmp_path / "none"}, f"mirror={tmp_path / 'none'}: no such folder; check the path "),
        (toy(names=()), {"user_file": tmp_path / "my.csv"}, f"{tmp_path / 'my.csv'}: No such file or directory; check"),
        (
            toy(),
            {"user_file": tmp_path / "one"},
            "toy: has files of its own; give copies of them with --config mirror=DIR",
        ),
    ]
    for entry, place, message in cases:
        with pytest.raises(InputError) as raised:
            fetch(entry, **place)
        assert str(raised.value).startswith(message)


def test_users_own_file_fills_a_set_without_files(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_bytes(CONTENT)
    for fetched in (fetch(toy(names=()), user_file=path), fetch(toy(names=(), file=str(path)))):
        assert fetched.files == {"mine.csv": CONTENT}
    assert fetch(toy(names=())).reasons[0].endswith("name your own copy with --config 'files={toy: PATH}'")


def test_script_writes_the_table(tmp_path):
    (tmp_path / "toy.data").write_bytes(CONTENT)
    assert script("dataset").make(toy(target="a"), tmp_path / "toy.parquet", mirror=tmp_path) == "ok"
    file = open_data(tmp_path / "toy.parquet")
    data = file.read(0)
    assert (file.available, data.variables, data.discrete.tolist()) == (True, ["a", "b"], [True, False])
    assert data.values.tolist() == [[0, 1], [1, 2], [0, 3]]
    assert data.about["cardinalities"] == {"a": 2}
    assert data.about["sha256"] == {"toy.data": sha256(CONTENT)}
    assert (data.about["target"], data.about["cell"]) == ("a", "toy")


def test_script_writes_the_reasons_where_nothing_answers(tmp_path, closed_port):
    entry = toy(f"{closed_port}/ok")
    assert script("dataset").make(entry, tmp_path / "toy.parquet") == "unavailable"
    data = open_data(tmp_path / "toy.parquet")
    assert (data.available, data.replicates) == (False, [])
    assert f"{closed_port}/ok" in data.metadata["message"]


def test_script_takes_a_file_of_the_users_and_leaves_nothing_of_a_bad_one(tmp_path):
    entry, good, bad = toy(names=()), tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_bytes(CONTENT)
    assert script("dataset").make(entry, tmp_path / "good.parquet", user_file=good) == "ok"
    assert open_data(tmp_path / "good.parquet").read(0).values.shape == (3, 2)
    bad.write_bytes(CONTENT + b"4\n")
    with pytest.raises(InputError, match=r"bad\.csv, line 4: 1 columns where 2 are expected"):
        script("dataset").make(entry, tmp_path / "bad.parquet", user_file=bad)
    assert not (tmp_path / "bad.parquet").exists()
