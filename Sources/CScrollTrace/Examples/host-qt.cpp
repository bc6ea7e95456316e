// A ListView of Qt Quick that scrolls for two seconds and prints its frames: host-qt TRACE
//   c++ -std=c++17 -fPIC host-qt.cpp $(pkg-config --cflags --libs Qt6Quick scrolltrace) -o host-qt
#include <QtCore/QAbstractListModel>
#include <QtGui/QGuiApplication>
#include <QtGui/QScreen>
#include <QtQml/QQmlContext>
#include <QtQml/QQmlEngine>
#include <QtQuick/QQuickItem>
#include <QtQuick/QQuickView>
#include <scrolltrace.hpp>
static scrolltrace::recorder recorder;
struct Rows : QAbstractListModel {
  int rowCount(const QModelIndex &) const override { return 5000; }
  QVariant data(const QModelIndex &index, int) const override {  // a new delegate asks for its text
    auto bind = recorder.begin_cell(SCROLLTRACE_CELL_CONFIGURE, std::uint64_t(index.row()));
    const auto end = recorder.now() + (index.row() == 50 ? 60000000 : 500000);  // a slow row
    while (recorder.now() < end) {}
    return QStringLiteral("Row %1").arg(index.row());
  }
};
struct View : QQuickView {
  scrolltrace::interaction moving;
  scrolltrace::span part;  // of the thread that renders, which emits these signals
  template <typename Signal> void on(Signal signal, scrolltrace::name name) {
    const auto begin = [this, name] { part.end(), part = recorder.begin_span(name); };
    connect(this, signal, this, begin, Qt::DirectConnection);
  }
  View() {
    on(&QQuickWindow::beforeSynchronizing, SCROLLTRACE_NAME("synchronize"));
    on(&QQuickWindow::beforeRendering, SCROLLTRACE_NAME("render"));
    on(&QQuickWindow::afterRendering, SCROLLTRACE_NAME("swap"));
    connect(this, &QQuickWindow::frameSwapped, this, [this] { part.end(); }, Qt::DirectConnection);
  }
  bool event(QEvent *event) override {  // the main thread's part of a frame
    if (event->type() != QEvent::UpdateRequest) return QQuickView::event(event);
    const std::int64_t begin = recorder.now();
    auto frame = recorder.begin_frame({begin, 0, 0, std::int64_t(1e9 / screen()->refreshRate())});
    if (frame.id() == 1) moving = recorder.begin_interaction(SCROLLTRACE_INTERACTION_ANIMATION);
    std::printf("%d %ld\n", int(frame.id()), long(begin / 1000));
    return QQuickView::event(event);
  }
};
int main(int argc, char **argv) {
  recorder = scrolltrace::recorder(argc > 1 ? argv[1] : "qt.fxt");
  recorder.set_state(SCROLLTRACE_NAME("host"), SCROLLTRACE_NAME("Qt Quick"));
  QGuiApplication app(argc, argv);
  Rows rows;
  View view;
  view.rootContext()->setContextProperty("rows", &rows);
  QObject::connect(view.engine(), &QQmlEngine::quit, &app, &QCoreApplication::quit);
  QQmlComponent list(view.engine());
  list.setData(
      "import QtQuick; ListView { model: rows; width: 400; height: 600; "
      "delegate: Text { height: 40; text: display } "
      "NumberAnimation on contentY { to: 4800; duration: 2000; onFinished: Qt.quit() } }", {});
  view.setContent({}, &list, list.create());
  view.show();
  return app.exec();
}
