#pragma once

#include <memory>
#include <vector>

#include "app/session/disk_steps.h"
#include "app/session/training_run.h"

namespace glassformer::app {

/// The trainings that are on screen together; one of them is at work. Their timelines share what there is: in memory
/// most_timelines_bytes, of which one run gets at most most_timeline_bytes, and on disk what DiskSteps says, in even
/// parts. Not thread-safe.
class RunList {
public:
    explicit RunList(CpuBackend& backend) : backend_(backend) {}

    /// The folder for runs that are kept nowhere; empty: none.
    void recover_in(const std::filesystem::path& recovery) { recovery_ = recovery; }
    /// None any more, but for those that are set aside. What is kept of them on disk stays.
    void clear();
    /// Takes from the disk what is kept of runs that are saved nowhere, but for those that are set aside.
    void drop_recoveries();

    /// None any more: they rest until bring_back(). What was set aside before stays.
    void set_aside();
    /// All of them again, beside those that there are; none of them comes to work.
    void bring_back();
    bool any_aside() const { return !aside_.empty(); }
    /// The one that was at work when they were set aside.
    int worked_aside() const { return worked_aside_; }
    std::vector<std::shared_ptr<const RunInfo>> infos_aside();
    /// Adds a run in a colour of its own, which is then the one at work; throws Error, with all as it was, when its
    /// trainer cannot be made.
    TrainingRun& add(std::unique_ptr<TrainingRun> run);
    /// The next one's number, never given twice.
    int next_id() const { return next_id_; }

    /// The one at work; null when there is none.
    TrainingRun* current() { return current_; }
    /// Throws Error when there is none of this id.
    TrainingRun& at(int id);
    /// Also one that is set aside.
    TrainingRun& anywhere(int id);
    TrainingRun& choose(int id);
    /// Another one comes to work when it was at work; the last one stays. Throws Error for that, and as at() does.
    void remove(int id);

    /// Where the timelines of all runs, and of those to come, put what memory has no room for. Throws Error, with all
    /// as it was, when that folder cannot be made.
    void keep_on_disk(const DiskSteps& steps);
    const DiskSteps& disk_steps() const { return disk_steps_; }

    /// The world of that name that a run here has of one's own file, the run at work before the others; null: none.
    std::shared_ptr<const WorldSource> source_of(const std::string& world) const;

    std::vector<std::shared_ptr<const RunInfo>> infos();
    /// Tells the others that the run at work starts over.
    void current_began_anew();

private:
    /// The first colour that no other run has.
    int free_colour() const;
    bool taken(int colour) const;
    /// Gives each timeline an even part of what all may take.
    void share(const DiskSteps& steps);
    /// The same after runs came or went; what the disk refuses is noted with the run at work.
    void share_again();

    CpuBackend& backend_;
    std::filesystem::path recovery_;
    std::vector<std::unique_ptr<TrainingRun>> runs_, aside_;
    TrainingRun* current_ = nullptr;
    int worked_aside_ = -1;
    int next_id_ = 0;
    DiskSteps disk_steps_;
};

}  // namespace glassformer::app
