"""Whatever stands in a header, the answer says no in one line, and never fails."""

import pytest
from flask import Flask

from tests.dashboard.fakes import FakeTable
from tests.dashboard.setting import PIN

VALUES = (
    "\xff", "\xc3\x28", "%ff", "\x7f", "[::", "http://[::", "http://a]b", "a" * 9_000,
    "=?utf-8?q?=ff?=", '"\\377"', '"\xff"', "9" * 400, "-1", "1e9", ",", ";;=;", "*",
    "multipart/form-data", "multipart/form-data; boundary=\xff",
    "application/json; charset=\xff", "bytes=0-,1-,2-", "bytes=9-1", "de;q=x",
    "Mon, 99 Foo 99999 99:99:99 GMT",
)  # fmt: skip

HEADERS = (
    "ACCEPT", "ACCEPT_ENCODING", "ACCEPT_LANGUAGE", "AUTHORIZATION", "CONTENT_ENCODING",
    "COOKIE", "EXPECT", "FORWARDED", "HOST", "IF_MODIFIED_SINCE", "IF_NONE_MATCH",
    "IF_RANGE", "LAST_EVENT_ID", "ORIGIN", "RANGE", "REFERER", "SEC_FETCH_SITE",
    "USER_AGENT", "X_FORWARDED_FOR", "X_FORWARDED_HOST",
)  # fmt: skip

ROUTES = (
    "GET /help", "GET /static/app.js", "GET /api/state", "POST /host", "POST /tally",
    "POST /api/act", "POST /api/sit", "POST /api/teach/kit",
)  # fmt: skip

BODY = b"pin=\xff%ff&seat=99999999999999999999&move=\x00&name-0=\xff"


@pytest.mark.slow
@pytest.mark.parametrize("route", ROUTES)
def test_no_header_breaks_an_answer(route: str, app: Flask, game: FakeTable):
    phone = app.test_client()
    method, path = route.split()

    for value in VALUES:
        for name in ("CONTENT_TYPE", *(f"HTTP_{header}" for header in HEADERS)):
            # As the server hands it on: bytes of a header, one letter each.
            answer = phone.open(
                path, method=method, data=BODY, environ_overrides={name: value}
            )
            assert answer.status_code < 500, (name, value)
            answer.close()


def test_a_page_whose_address_is_none_may_not_post(app: Flask, game: FakeTable):
    for origin in ("http://[::", "http://a]b", "null", "", "//", "http://"):
        answer = app.test_client().post(
            "/host", data={"pin": PIN}, headers={"Origin": origin}
        )

        assert answer.status_code == 403, origin
        assert "Set-Cookie" not in answer.headers
