"""An authorization server and a resource server of OAuth 2, made of Authlib, for the tests of the OAuth filters.

It knows two clients, "robot" with the secret "s3cret: /+&" (client credentials) and the public client "app" (authorization
code with a proof key, refresh tokens), and one user, ada, who agrees to everything. Its store is in memory. It prints its
address. What the tests control:

    POST /forget?kind=access|refresh   every token of the kind is invalid from now on
    GET  /counts                       the numbers of issued tokens by grant, and of refused and answered calls
    GET  /me                           the protected resource
"""

import collections
import secrets
import threading
import time

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7636 import CodeChallenge
from flask import Flask, jsonify, request
from werkzeug.serving import make_server


class Client(ClientMixin):
    def __init__(self, id, secret, grant_types, redirects=()):
        self.client_id, self.secret = id, secret
        self.grant_types, self.redirects = grant_types, redirects

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return self.redirects[0] if self.redirects else None

    def get_allowed_scope(self, scope):
        return " ".join(name for name in (scope or "").split() if name in ("read", "write"))

    def check_redirect_uri(self, redirect_uri):
        return redirect_uri in self.redirects

    def check_client_secret(self, client_secret):
        return self.secret is not None and secrets.compare_digest(self.secret, client_secret)

    def check_endpoint_auth_method(self, method, endpoint):
        return method == "none" if self.secret is None else method in ("client_secret_basic", "client_secret_post")

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type in self.grant_types


class Token(TokenMixin):
    def __init__(self, fields, client, user):
        self.fields, self.client, self.user = fields, client, user
        self.expires = time.time() + fields["expires_in"]
        self.revoked = False

    def check_client(self, client):
        return self.client is client

    def get_scope(self):
        return self.fields.get("scope", "")

    def get_expires_in(self):
        return self.fields["expires_in"]

    def is_expired(self):
        return self.expires < time.time()

    def is_revoked(self):
        return self.revoked

    def get_user(self):
        return self.user

    def get_client(self):
        return self.client


class Code(AuthorizationCodeMixin):
    def __init__(self, code, request):
        data = request.payload.data if hasattr(request, "payload") else request.data
        self.code, self.client, self.user = code, request.client, request.user
        self.redirect_uri, self.scope = data.get("redirect_uri"), data.get("scope", "")
        self.code_challenge = data.get("code_challenge")
        self.code_challenge_method = data.get("code_challenge_method")

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope


clients = {
    "robot": Client("robot", "s3cret: /+&", ["client_credentials"]),
    "app": Client("app", None, ["authorization_code", "refresh_token"], ["http://127.0.0.1:1/callback"]),
}
codes, access, refresh = {}, {}, {}
counts = collections.Counter()
lock = threading.Lock()


class ClientCredentials(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]


class AuthorizationCode(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def save_authorization_code(self, code, request):
        codes[code] = Code(code, request)

    def query_authorization_code(self, code, client):
        found = codes.get(code)
        return found if found and found.client is client else None

    def delete_authorization_code(self, authorization_code):
        del codes[authorization_code.code]

    def authenticate_user(self, authorization_code):
        return authorization_code.user


class RefreshToken(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        found = refresh.get(refresh_token)
        return found if found and not found.revoked else None

    def authenticate_user(self, credential):
        return credential.user

    def revoke_old_credential(self, credential):
        credential.revoked = True


class Validator(BearerTokenValidator):
    def authenticate_token(self, token_string):
        found = access.get(token_string)
        return found if found and not found.revoked else None


def save_token(token, request):
    grant = getattr(request, "payload", request).grant_type
    with lock:
        counts[grant] += 1
        stored = Token(token, request.client, request.user)
        access[token["access_token"]] = stored
        if "refresh_token" in token:
            refresh[token["refresh_token"]] = Token(token, request.client, request.user)


app = Flask(__name__)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
server = AuthorizationServer(app, query_client=clients.get, save_token=save_token)
server.register_grant(ClientCredentials)
server.register_grant(AuthorizationCode, [CodeChallenge(required=True)])
server.register_grant(RefreshToken)
protected = ResourceProtector()
protected.register_token_validator(Validator())


@app.get("/authorize")
def authorize():
    # The user ada has logged in, and agrees, unless the request asks for the scope "refused".
    refused = "refused" in request.args.get("scope", "")
    return server.create_authorization_response(grant_user=None if refused else "ada")


@app.post("/token")
def token():
    # Long enough that concurrent callers meet.
    time.sleep(0.05)
    return server.create_token_response()


@app.get("/me")
@protected()
def me():
    return jsonify(user=current_token.user, client=current_token.client.client_id, scope=current_token.get_scope())


@app.after_request
def count(response):
    if request.path == "/me":
        with lock:
            counts[f"me {response.status_code}"] += 1
    return response


@app.post("/forget")
def forget():
    for found in (access if request.args["kind"] == "access" else refresh).values():
        found.revoked = True
    return "", 204


@app.get("/counts")
def all_counts():
    return jsonify(dict(counts))


if __name__ == "__main__":
    listener = make_server("127.0.0.1", 0, app, threaded=True)
    print(f"http://127.0.0.1:{listener.port}", flush=True)
    listener.serve_forever()
