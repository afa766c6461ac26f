// For browsers that cannot run app.js, such as an old television's: a page that nothing
// keeps fresh loads itself anew. Written in the oldest words, so that all can read it.
(function () {
  var root = document.documentElement;
  var waitMs = 1000 * document.body.getAttribute("data-refresh");
  function anew() {
    if (/\bawake\b/.test(root.className)) return;
    // Only once the table answers, as an error page would never try again.
    var ask = new XMLHttpRequest();
    ask.onreadystatechange = function () {
      if (ask.readyState !== 4) return;
      if (ask.status === 200) location.reload();
      else setTimeout(anew, waitMs);
    };
    ask.open("HEAD", location.href, true);
    ask.send();
  }
  // By then app.js runs, or never will.
  if (waitMs) window.onload = function () { setTimeout(anew, waitMs); };
})();
