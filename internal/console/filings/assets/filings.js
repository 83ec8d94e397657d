// A choice by mouse or touch that decides about other fields shows them at once. With the keyboard the button after the choice
// does it, so that the page does not change while a user goes through the answers.
"use strict";

for (const choice of document.querySelectorAll("select[data-decides]")) {
  let pointed = false;
  choice.addEventListener("pointerdown", () => { pointed = true; });
  choice.addEventListener("keydown", () => { pointed = false; });
  choice.addEventListener("change", () => {
    const button = document.querySelector(`[data-refill="${choice.name}"]`);
    if (pointed && button) button.click();
  });
}
