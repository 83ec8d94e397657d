// Forms with data-passkey ask the browser for a passkey before they are sent: "get" signs
// in with one, "create" makes one. Without support for passkeys they stay hidden.
(() => {
  "use strict";

  const supported = window.PublicKeyCredential && PublicKeyCredential.parseRequestOptionsFromJSON && navigator.credentials;

  async function begin(path) {
    const answer = await fetch(path, { method: "POST", headers: { Accept: "text/html" }, credentials: "same-origin" });
    if (!answer.ok || !(answer.headers.get("Content-Type") || "").startsWith("application/json")) {
      throw new Error("The service did not answer as expected. Reload the page and try again.");
    }
    return answer.json();
  }

  async function ask(kind, options) {
    if (kind === "create") {
      return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) });
    }
    return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
  }

  function set(form, name, value) {
    let field = form.querySelector(`input[name="${name}"]`);
    if (!field) {
      field = document.createElement("input");
      field.type = "hidden";
      field.name = name;
      form.append(field);
    }
    field.value = value;
  }

  function tell(form, text) {
    let line = form.querySelector(".error");
    if (!line) {
      line = document.createElement("p");
      line.className = "error";
      line.setAttribute("role", "alert");
      form.prepend(line);
    }
    line.textContent = text;
  }

  for (const form of document.querySelectorAll("form[data-passkey]")) {
    if (!supported) continue;
    form.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const button = form.querySelector("button");
      button.disabled = true;
      try {
        const begun = await begin(form.dataset.begin);
        const credential = await ask(form.dataset.passkey, begun.options);
        set(form, "step", begun.step);
        set(form, "answer", JSON.stringify(credential.toJSON()));
        form.submit();
      } catch (problem) {
        button.disabled = false;
        tell(form, problem.name === "NotAllowedError" ? "No passkey was used. Try again." : problem.message);
      }
    });
  }
})();
