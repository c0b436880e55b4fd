"""Certificates for NATS over TLS, and users with credentials (.creds): what an operator hands out."""
import base64
import json
import os
import subprocess
import time
from pathlib import Path

import nkeys

UNLIMITED = {"subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": True, "conn": -1, "leaf": -1,
             "mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1}


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def key_pair(prefix):
    return nkeys.from_seed(nkeys.encode_seed(os.urandom(32), prefix))


def token(issuer, subject, name, claims):
    """Returns a JWT of NATS, signed by a key."""
    head = encoded(json.dumps({"typ": "JWT", "alg": "ed25519-nkey"}).encode())
    now = int(time.time())
    body = encoded(json.dumps({"jti": f"{name}-{now}", "iat": now, "iss": issuer.public_key.decode(), "name": name,
                               "sub": subject.public_key.decode(), "nats": {**claims, "version": 2}}).encode())
    return f"{head}.{body}.{encoded(issuer.sign(f'{head}.{body}'.encode()))}"


class Secrets:
    """An authority with a certificate for the server and one for clients, and an operator with an account and a user."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.make_certificate("authority", None)
        self.make_certificate("server", "authority")
        self.make_certificate("client", "authority")
        self.make_certificate("other", None)
        operator, system, account = (key_pair(prefix) for prefix in
                                     (nkeys.PREFIX_BYTE_OPERATOR, nkeys.PREFIX_BYTE_ACCOUNT, nkeys.PREFIX_BYTE_ACCOUNT))
        account_claims = {"type": "account", "limits": UNLIMITED}
        # The system account has no JetStream.
        plain = {"type": "account", "limits": {name: value for name, value in UNLIMITED.items()
                                               if name not in ("mem_storage", "disk_storage", "streams", "consumer")}}
        self.configuration = self.folder / "nats.conf"
        self.configuration.write_text(f"""
            operator: {token(operator, operator, "operator", {"type": "operator"})}
            system_account: {system.public_key.decode()}
            resolver: MEMORY
            resolver_preload: {{
                {system.public_key.decode()}: {token(operator, system, "system", plain)}
                {account.public_key.decode()}: {token(operator, account, "account", account_claims)}
            }}
            tls {{
                cert_file: "{self.path("server.pem")}"
                key_file: "{self.path("server.key")}"
                ca_file: "{self.path("authority.pem")}"
                verify: true
            }}
        """)
        self.credentials = self.user("user", account)
        # A user of an account that the server does not know.
        self.stranger = self.user("stranger", key_pair(nkeys.PREFIX_BYTE_ACCOUNT))

    def path(self, name):
        return str(self.folder / name)

    def user(self, name, account):
        """Writes the credentials of a user, and returns their path."""
        user = key_pair(nkeys.PREFIX_BYTE_USER)
        jwt = token(account, user, name, {"type": "user", "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1})
        path = self.folder / f"{name}.creds"
        path.write_text(f"-----BEGIN NATS USER JWT-----\n{jwt}\n------END NATS USER JWT------\n\n"
                        f"-----BEGIN USER NKEY SEED-----\n{user.seed.decode()}\n------END USER NKEY SEED------\n")
        return str(path)

    def make_certificate(self, name, authority):
        """Makes a key and a certificate, signed by an authority or by itself."""
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                   "-keyout", self.path(f"{name}.key"), "-out", self.path(f"{name}.pem")]
        if authority:
            command += ["-CA", self.path(f"{authority}.pem"), "-CAkey", self.path(f"{authority}.key"),
                        "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE"]
        subprocess.run(command, check=True, capture_output=True)
