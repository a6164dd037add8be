//! A headless Chromium, controlled through its DevTools protocol. One page at a time; collects all
//! errors and requests.

use std::io::{BufRead, BufReader, ErrorKind};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tungstenite::{Error, HandshakeError, Message, WebSocket, client};

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const PATIENCE: Duration = Duration::from_secs(30);
/// How many times to connect.
const ATTEMPTS: usize = 20;

pub struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    session: String,
    number: u64,
    /// Errors, messages of the console, and requests for anything but the page itself.
    pub complaints: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// `None` if there is no Chromium.
    pub fn start() -> Option<Browser> {
        let profile = tempfile::tempdir().expect("a directory for the profile");
        let mut child = NAMES.iter().find_map(|name| {
            Command::new(name)
                .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"])
                .args(["--remote-debugging-port=0", "--no-first-run", "--disable-extensions"])
                .args(["--disable-background-networking", "--disable-dev-shm-usage"])
                .arg(format!("--user-data-dir={}", profile.path().display()))
                .arg("about:blank")
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .ok()
        })?;
        let stderr = child.stderr.take().expect("it is piped");
        let mut lines = BufReader::new(stderr).lines().map_while(Result::ok);
        let address = lines.find_map(|line| {
            line.strip_prefix("DevTools listening on ").map(|address| address.trim().to_owned())
        });
        // Its later output does not matter, but it must not block.
        thread::spawn(move || lines.for_each(drop));
        let address = address.expect("Chromium says where it listens");
        let host = address.trim_start_matches("ws://").split('/').next().expect("a host");
        let socket =
            (0..ATTEMPTS).find_map(|_| connect(&address, host)).expect("it can be reached");
        let mut browser = Browser {
            child,
            socket,
            session: String::new(),
            number: 0,
            complaints: Vec::new(),
            _profile: profile,
        };
        browser.attach();
        Some(browser)
    }

    fn attach(&mut self) {
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let target = target["targetId"].clone();
        let attached =
            self.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        self.session = attached["sessionId"].as_str().expect("a session").to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
    }

    /// Calls a method and waits for its result.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let id = self.number;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = self.session.clone().into();
        }
        self.socket.send(Message::text(message.to_string())).expect("Chromium is there");
        loop {
            let message = self.receive();
            if message["id"] == json!(id) {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
        }
    }

    fn receive(&mut self) -> Value {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    let message: Value = serde_json::from_str(&text).expect("it speaks JSON");
                    self.note(&message);
                    return message;
                }
                Ok(_) => {}
                // A read with a timeout ends when the process is stopped and continued.
                Err(Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => panic!("Chromium does not answer: {error}"),
            }
        }
    }

    fn note(&mut self, message: &Value) {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => self.complaints.push(params.to_string()),
            Some("Runtime.consoleAPICalled") => self.complaints.push(params["args"].to_string()),
            Some("Log.entryAdded") => self.complaints.push(params["entry"].to_string()),
            Some("Network.requestWillBeSent") => {
                let url = params["request"]["url"].as_str().unwrap_or_default();
                let is_page = params["type"] == "Document" && url.starts_with("file://");
                if !is_page && !url.starts_with("data:") && url != "about:blank" {
                    self.complaints.push(format!("requests {url}"));
                }
            }
            _ => {}
        }
    }

    /// Opens a page and waits until it is complete.
    pub fn open(&mut self, path: &Path, width: u32, height: u32) {
        self.resize(width, height);
        // A page whose address differs only in its hash would not be loaded again.
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.call("Page.navigate", json!({ "url": format!("file://{}", path.display()) }));
        let start = Instant::now();
        while self.evaluate("location.protocol + document.readyState") != json!("file:complete") {
            assert!(start.elapsed() < PATIENCE, "{} is never complete", path.display());
            thread::sleep(Duration::from_millis(10));
        }
    }

    pub fn resize(&mut self, width: u32, height: u32) {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600,
        });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// The value of an expression of JavaScript.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let params =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let result = self.call("Runtime.evaluate", params);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// Presses and releases a key.
    pub fn press(&mut self, key: &str, code: u32, text: &str) {
        for kind in ["keyDown", "keyUp"] {
            let mut params =
                json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code });
            if kind == "keyDown" && !text.is_empty() {
                params["text"] = text.into();
            }
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    pub fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// Writes a picture of the window.
    pub fn screenshot(&mut self, path: &Path) {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let bytes = STANDARD.decode(shot["data"].as_str().expect("a picture")).expect("base64");
        fs::write(path, bytes).expect("the picture can be written");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It is going to end either way, and its directory with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Nothing if a signal interrupted it.
fn connect(address: &str, host: &str) -> Option<WebSocket<TcpStream>> {
    let stream = TcpStream::connect(host).expect("Chromium listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a time is allowed");
    match client(address, stream) {
        Ok((socket, _)) => Some(socket),
        Err(HandshakeError::Failure(Error::Io(error)))
            if error.kind() == ErrorKind::Interrupted =>
        {
            None
        }
        Err(error) => panic!("it speaks WebSocket: {error}"),
    }
}
